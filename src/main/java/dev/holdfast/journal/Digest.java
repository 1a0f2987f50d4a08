package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RecordForm;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * Sixty-four bits of a push's endpoint and body: finds the candidate that a push may be a duplicate of, never decides.
 * Two CRCs, as the processor computes them at memory speed; who makes two bodies collide gains nothing but a look at the
 * stored bytes.
 *
 * @param value the digest
 * @param bodyChecksum the part of it that the record's byte form wants as well
 */
record Digest(long value, int bodyChecksum) {

    static Digest of(PushRecord push) {
        byte[] body = push.body();
        int bodyChecksum = RecordForm.bodyChecksum(body);
        CRC32 crc = new CRC32();
        crc.update(body, 0, body.length);
        long bits = (long) bodyChecksum << 32 | crc.getValue();
        return new Digest(mix(bits + 0x9e3779b97f4a7c15L * push.endpoint().hashCode()), bodyChecksum);
    }

    /** Whether the two are one push, sent twice: endpoint and bytes are the same. The id has no say. */
    static boolean same(PushRecord one, PushRecord other) {
        return one.endpoint().equals(other.endpoint()) && Arrays.equals(one.body(), other.body());
    }

    private static long mix(long bits) {
        long z = (bits ^ bits >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
