package dev.holdfast.push;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The byte form of a {@link PushRecord} at its position in the journal. All numbers are big-endian.
 *
 * <pre>
 *  0  version      1 byte    {@value #VERSION}
 *  1  flags        1 byte    bit 0: createdAt is present
 *  2  unreadable   1 byte    0: readable, else the cause's place in {@link Unreadable}, from 1
 *  3  spare        1 byte    0
 *  4  checksum     4 bytes   CRC32C over seq (8 bytes), bytes 0 to 3, and byte 8 up to the body
 *  8  bodyChecksum 4 bytes   CRC32C of the body
 * 12  bodyLength   4 bytes
 * 16  receivedAt   8 bytes   milliseconds since the epoch
 * 24  createdAt    8 bytes   seconds since the epoch, 0 when absent
 * 32  endpoint, event, id, enterpriseToken, signature, contentType, contentEncoding, query: each as
 *       length     4 bytes   characters * 2, + 1 when wide
 *       characters           one byte each (Latin-1), or two when wide (UTF-16)
 *  ·  body         bodyLength bytes, the exact ones
 * </pre>
 *
 * The two checksums together cover every byte and the position: a record read back at another {@code seq} is broken. The
 * body's own one lets the thread that received the body read through it once, before its position is known. Characters
 * are kept as they are, lone surrogates included, which UTF-8 could not. Reading back parses no JSON. Stateless; any
 * thread.
 */
public final class RecordForm {
    static final byte VERSION = 2;

    private static final int CHECKSUM_AT = 4;
    private static final int BODY_CHECKSUM_AT = 8;
    private static final int TEXTS_AT = 32;
    private static final int TEXTS = 8;
    private static final int HAS_CREATED_AT = 1;
    private static final List<Unreadable> CAUSES = List.of(Unreadable.values());

    private RecordForm() {}

    /** The checksum of a body that {@link #encode(PushRecord, long, int, ByteBuffer)} asks for. */
    public static int bodyChecksum(byte[] body) {
        CRC32C crc = new CRC32C();
        crc.update(body, 0, body.length);
        return (int) crc.getValue();
    }

    /** At least as many bytes as {@link #encode} writes for this push. */
    public static int maxLength(PushRecord push) {
        Envelope envelope = push.envelope();
        RequestHead head = push.head();
        long characters = 0L
                + push.endpoint().length()
                + envelope.event().length()
                + envelope.id().length()
                + envelope.enterpriseToken().length()
                + head.signature().length()
                + head.contentType().length()
                + head.contentEncoding().length()
                + head.query().length();
        return Math.toIntExact(TEXTS_AT + 4L * TEXTS + 2 * characters + push.body().length);
    }

    /**
     * Writes the push, as kept at {@code seq}, from {@code target}'s position on, which moves past it.
     *
     * @param bodyChecksum {@link #bodyChecksum} of its body
     * @param target big-endian, with {@link #maxLength} bytes remaining
     */
    public static void encode(PushRecord push, long seq, int bodyChecksum, ByteBuffer target) {
        Envelope envelope = push.envelope();
        RequestHead head = push.head();
        Unreadable cause = envelope.unreadable();
        Long createdAt = envelope.createdAt();
        int start = target.position();
        target.put(VERSION);
        target.put((byte) (createdAt == null ? 0 : HAS_CREATED_AT));
        target.put((byte) (cause == null ? 0 : CAUSES.indexOf(cause) + 1));
        target.put((byte) 0);
        target.putInt(0);
        target.putInt(bodyChecksum);
        target.putInt(push.body().length);
        target.putLong(push.receivedAt());
        target.putLong(createdAt == null ? 0 : createdAt);
        putText(target, push.endpoint());
        putText(target, envelope.event());
        putText(target, envelope.id());
        putText(target, envelope.enterpriseToken());
        putText(target, head.signature());
        putText(target, head.contentType());
        putText(target, head.contentEncoding());
        putText(target, head.query());
        target.putInt(start + CHECKSUM_AT, checksum(seq, target, start, target.position()));
        target.put(push.body());
    }

    /** The push as kept at {@code seq}, in a buffer of its own. */
    public static ByteBuffer encode(PushRecord push, long seq) {
        ByteBuffer target = ByteBuffer.allocate(maxLength(push));
        encode(push, seq, bodyChecksum(push.body()), target);
        return target.flip();
    }

    /**
     * Reads back what {@link #encode} wrote: {@code source} from its position to its limit.
     *
     * @param source big-endian; its position moves
     * @throws RecordFormException when it is not, byte for byte, the record that was written for {@code seq}
     */
    public static PushRecord decode(long seq, ByteBuffer source) {
        int start = source.position();
        if (source.remaining() < TEXTS_AT) {
            throw broken(seq, source.remaining() + " bytes", "at least " + TEXTS_AT);
        }
        if (source.get(start) != VERSION) {
            throw broken(seq, "version " + source.get(start), "version " + VERSION);
        }
        source.position(start + TEXTS_AT);
        String[] texts = new String[TEXTS];
        for (int i = 0; i < TEXTS; i++) {
            texts[i] = text(seq, source);
        }
        requireSame(
                seq, "checksum", source.getInt(start + CHECKSUM_AT), checksum(seq, source, start, source.position()));
        byte[] body = body(seq, source, start);
        Envelope envelope =
                new Envelope(texts[2], texts[1], texts[3], createdAt(source, start), cause(seq, source, start));
        RequestHead head = new RequestHead(texts[4], texts[5], texts[6], texts[7]);
        return new PushRecord(seq, texts[0], envelope, source.getLong(start + 16), head, body);
    }

    private static byte[] body(long seq, ByteBuffer source, int start) {
        requireSame(seq, "length of the body", source.getInt(start + 12), source.remaining());
        byte[] body = new byte[source.remaining()];
        source.get(body);
        requireSame(seq, "checksum of the body", source.getInt(start + BODY_CHECKSUM_AT), bodyChecksum(body));
        return body;
    }

    private static @Nullable Long createdAt(ByteBuffer source, int start) {
        return (source.get(start + 1) & HAS_CREATED_AT) == 0 ? null : (Long) source.getLong(start + 24);
    }

    private static @Nullable Unreadable cause(long seq, ByteBuffer source, int start) {
        int code = source.get(start + 2) & 0xff;
        if (code > CAUSES.size()) {
            throw broken(seq, "unreadable cause " + code, "at most " + CAUSES.size());
        }
        return code == 0 ? null : CAUSES.get(code - 1);
    }

    /** Over {@code seq} and the header from {@code start} to {@code end} but for the checksum's own bytes. */
    private static int checksum(long seq, ByteBuffer header, int start, int end) {
        CRC32C crc = new CRC32C();
        for (int shift = 56; shift >= 0; shift -= 8) {
            crc.update((int) (seq >>> shift) & 0xff);
        }
        ByteBuffer view = header.duplicate();
        crc.update(view.limit(start + CHECKSUM_AT).position(start));
        crc.update(view.limit(end).position(start + BODY_CHECKSUM_AT));
        return (int) crc.getValue();
    }

    private static void putText(ByteBuffer target, String text) {
        int length = text.length();
        int at = target.position();
        target.putInt(length << 1);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c > 0xff) {
                putWide(target.position(at), text);
                return;
            }
            target.put((byte) c);
        }
    }

    private static void putWide(ByteBuffer target, String text) {
        target.putInt(text.length() << 1 | 1);
        for (int i = 0; i < text.length(); i++) {
            target.putChar(text.charAt(i));
        }
    }

    private static String text(long seq, ByteBuffer source) {
        int code = source.remaining() < 4 ? -1 : source.getInt();
        boolean wide = (code & 1) == 1;
        long bytes = (code >>> 1) * (wide ? 2L : 1L);
        if (bytes > source.remaining()) {
            throw broken(seq, "a text that ends past the record", "texts inside it");
        }
        byte[] characters = new byte[(int) bytes];
        source.get(characters);
        return wide ? wideText(characters) : new String(characters, StandardCharsets.ISO_8859_1);
    }

    /** Not through the UTF-16 charset, which replaces lone surrogates. */
    private static String wideText(byte[] characters) {
        char[] text = new char[characters.length / 2];
        ByteBuffer.wrap(characters).asCharBuffer().get(text);
        return new String(text);
    }

    private static void requireSame(long seq, String what, int kept, int found) {
        if (kept != found) {
            throw broken(seq, what + " " + Integer.toHexString(found), Integer.toHexString(kept));
        }
    }

    private static RecordFormException broken(long seq, String found, String expected) {
        return new RecordFormException(
                "the record of push " + seq + " is broken: found " + found + " (expected: " + expected + ")");
    }
}
