package dev.holdfast.push;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The byte form of a {@link PushRecord}. All numbers are big-endian.
 *
 * <pre>
 *  0  version      1 byte    {@value #VERSION}, or {@value #LATE_VERSION}: a late push
 *  1  flags        1 byte    bit 0: createdAt is present
 *  2  unreadable   1 byte    0: readable, else the cause's place in {@link Unreadable}, from 1
 *  3  spare        1 byte    0
 *  4  receivedAt   8 bytes   milliseconds since the epoch
 * 12  createdAt    8 bytes   seconds since the epoch, 0 when absent
 * 20  acceptedAt   8 bytes   milliseconds since the epoch; in version {@value #LATE_VERSION} only
 *  ·  endpoint, event, id, enterpriseToken, signature, contentType, contentEncoding, query: each as
 *       length     4 bytes   characters * 2, + 1 when wide
 *       characters           one byte each (Latin-1), or two when wide (UTF-16)
 *  ·  body         all the rest, the exact bytes
 * </pre>
 *
 * Neither its length nor a checksum is part of it: whoever keeps it, keeps both around it. Characters are kept as they are,
 * lone surrogates included, which UTF-8 could not. Reading back parses no JSON. Stateless; any thread.
 */
public final class RecordForm {
    static final byte VERSION = 1;
    /**
     * Version of late pushes alone: a gateway that knows only version 1 can read all other pushes, and doesn't misread
     * these.
     */
    static final byte LATE_VERSION = 2;

    private static final int RECEIVED_AT = 4;
    private static final int CREATED_AT = 12;
    private static final int TEXTS_AT = 20;
    private static final int TEXTS = 8;
    private static final int HAS_CREATED_AT = 1;
    private static final List<Unreadable> CAUSES = List.of(Unreadable.values());

    private RecordForm() {}

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
        return Math.toIntExact(
                TEXTS_AT + (push.late() ? Long.BYTES : 0) + 4L * TEXTS + 2 * characters + push.body().length);
    }

    /**
     * Writes the push from {@code target}'s position on, which moves past it.
     *
     * @param target big-endian, with {@link #maxLength} bytes remaining
     */
    public static void encode(PushRecord push, ByteBuffer target) {
        Envelope envelope = push.envelope();
        RequestHead head = push.head();
        Unreadable cause = envelope.unreadable();
        Long createdAt = envelope.createdAt();
        target.put(push.late() ? LATE_VERSION : VERSION);
        target.put((byte) (createdAt == null ? 0 : HAS_CREATED_AT));
        target.put((byte) (cause == null ? 0 : CAUSES.indexOf(cause) + 1));
        target.put((byte) 0);
        target.putLong(push.receivedAt());
        target.putLong(createdAt == null ? 0 : createdAt);
        if (push.late()) {
            target.putLong(push.acceptedAt());
        }
        putText(target, push.endpoint());
        putText(target, envelope.event());
        putText(target, envelope.id());
        putText(target, envelope.enterpriseToken());
        putText(target, head.signature());
        putText(target, head.contentType());
        putText(target, head.contentEncoding());
        putText(target, head.query());
        target.put(push.body());
    }

    /** The push in a buffer of its own. */
    public static ByteBuffer encode(PushRecord push) {
        ByteBuffer target = ByteBuffer.allocate(maxLength(push));
        encode(push, target);
        return target.flip();
    }

    /**
     * Reads back what {@link #encode} wrote: {@code source} from its position to its limit.
     *
     * @param seq the position it was kept at
     * @param source big-endian; its position moves
     * @throws RecordFormException when that is no such form, or one of another version
     */
    public static PushRecord decode(long seq, ByteBuffer source) {
        int start = source.position();
        if (source.remaining() < TEXTS_AT) {
            throw broken(seq, source.remaining() + " bytes", "at least " + TEXTS_AT);
        }
        byte version = source.get(start);
        if (version != VERSION && version != LATE_VERSION) {
            throw broken(seq, "version " + version, "version " + VERSION + " or " + LATE_VERSION);
        }
        int textsAt = version == LATE_VERSION ? TEXTS_AT + Long.BYTES : TEXTS_AT;
        if (source.remaining() < textsAt) {
            throw broken(seq, source.remaining() + " bytes", "at least " + textsAt);
        }
        source.position(start + textsAt);
        String[] texts = new String[TEXTS];
        for (int i = 0; i < TEXTS; i++) {
            texts[i] = text(seq, source);
        }
        byte[] body = new byte[source.remaining()];
        source.get(body);
        Envelope envelope =
                new Envelope(texts[2], texts[1], texts[3], createdAt(source, start), cause(seq, source, start));
        RequestHead head = new RequestHead(texts[4], texts[5], texts[6], texts[7]);
        PushRecord push = new PushRecord(seq, texts[0], envelope, source.getLong(start + RECEIVED_AT), head, body);
        return version == LATE_VERSION ? push.lateAt(source.getLong(start + TEXTS_AT)) : push;
    }

    private static @Nullable Long createdAt(ByteBuffer source, int start) {
        return (source.get(start + 1) & HAS_CREATED_AT) == 0 ? null : (Long) source.getLong(start + CREATED_AT);
    }

    private static @Nullable Unreadable cause(long seq, ByteBuffer source, int start) {
        int code = source.get(start + 2) & 0xff;
        if (code > CAUSES.size()) {
            throw broken(seq, "unreadable cause " + code, "at most " + CAUSES.size());
        }
        return code == 0 ? null : CAUSES.get(code - 1);
    }

    private static void putText(ByteBuffer target, String text) {
        byte[] characters = text.getBytes(StandardCharsets.ISO_8859_1);
        if (isSame(characters, text)) {
            target.putInt(characters.length << 1).put(characters);
        } else {
            putWide(target, text);
        }
    }

    /** Whether the text survives Latin-1, which has a question mark in place of other characters. */
    private static boolean isSame(byte[] latin, String text) {
        for (int i = 0; i < latin.length; i++) {
            if (latin[i] == '?' && text.charAt(i) != '?') {
                return false;
            }
        }
        return latin.length == text.length();
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

    /** A text of two bytes for each character. The UTF-16 charset isn't used, since it replaces lone surrogates. */
    private static String wideText(byte[] characters) {
        char[] text = new char[characters.length / 2];
        ByteBuffer.wrap(characters).asCharBuffer().get(text);
        return new String(text);
    }

    private static RecordFormException broken(long seq, String found, String expected) {
        return new RecordFormException(
                "the record of push " + seq + " is broken: found " + found + " (expected: " + expected + ")");
    }
}
