package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RecordForm;
import dev.holdfast.push.RecordFormException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * Sixty-four bits of a push's endpoint and body: finds the candidate that a push may be a duplicate of, never decides.
 * Two CRCs, as the processor computes them at memory speed; who makes two bodies collide gains nothing but a look at the
 * stored bytes. Stateless; any thread.
 */
final class Digest {
    private Digest() {}

    static long of(PushRecord push) {
        byte[] body = push.body();
        CRC32C first = new CRC32C();
        first.update(body, 0, body.length);
        CRC32 second = new CRC32();
        second.update(body, 0, body.length);
        long bits = first.getValue() << 32 | second.getValue();
        long digest = mix(bits + 0x9e3779b97f4a7c15L * push.endpoint().hashCode());
        // 0 is where there is none.
        return digest == 0 ? 1 : digest;
    }

    /** That of a push in the form in which it is kept; 0 where it can't be read: whoever reads the push reports it. */
    static long of(long seq, ByteBuffer form) {
        try {
            return of(RecordForm.decode(seq, form));
        } catch (RecordFormException unreadable) {
            return 0;
        }
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
