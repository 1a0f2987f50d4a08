package dev.holdfast.quarantine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A request's record in a {@link QuarantineFile}: its head, and the content behind it. All numbers are big-endian.
 *
 * <pre>
 *  0  marker      4 bytes  {@code HFQr}
 *  4  length      4 bytes  of the content
 *  8  id          8 bytes
 * 16  receivedAt  8 bytes  milliseconds since the epoch
 * 24  checksum    4 bytes  CRC32C of the content
 * 28  checksum    4 bytes  CRC32C of the 28 bytes before
 * 32  content
 *
 *     version     1 byte   {@value #VERSION}
 *     cause       1 byte   its place in {@link QuarantinedRequest.Cause}
 *     headers     2 bytes  how many
 *     endpoint, address, query, then each header's name and value: each as
 *       length    4 bytes
 *       bytes              UTF-8
 *     body                 all the rest, the exact bytes
 * </pre>
 *
 * @param length of the content
 * @param checksum of the content
 */
record QuarantineRecord(int length, long id, long receivedAt, int checksum) {
    static final int HEAD = 32;
    static final byte VERSION = 1;

    private static final List<QuarantinedRequest.Cause> CAUSES = List.of(QuarantinedRequest.Cause.values());
    private static final int MARKER = 0x48465172;
    private static final int CHECKED = 28;
    private static final int LONGEST = 1 << 30;

    /** Null when these bytes are no head. */
    static @Nullable QuarantineRecord of(byte[] bytes) {
        ByteBuffer head = ByteBuffer.wrap(bytes);
        int length = head.getInt(4);
        boolean whole = head.getInt(0) == MARKER
                && head.getInt(CHECKED) == checksum(bytes, CHECKED)
                && length >= 0
                && length <= LONGEST;
        return whole ? new QuarantineRecord(length, head.getLong(8), head.getLong(16), head.getInt(24)) : null;
    }

    /** Head and content of a request. */
    static ByteBuffer of(QuarantinedRequest request) {
        byte[] content = content(request);
        ByteBuffer record = ByteBuffer.allocate(HEAD + content.length)
                .putInt(MARKER)
                .putInt(content.length)
                .putLong(request.id())
                .putLong(request.receivedAt())
                .putInt(checksum(content, content.length));
        record.putInt(checksum(record.array(), CHECKED)).put(content);
        return record.flip();
    }

    private static byte[] content(QuarantinedRequest request) {
        List<byte[]> texts = new ArrayList<>();
        texts.add(request.endpoint().getBytes(UTF_8));
        texts.add(request.address().getBytes(UTF_8));
        texts.add(request.query().getBytes(UTF_8));
        request.headers().forEach(header -> {
            texts.add(header.name().getBytes(UTF_8));
            texts.add(header.value().getBytes(UTF_8));
        });
        int length = Integer.BYTES + request.body().length;
        for (byte[] text : texts) {
            length = Math.addExact(length, Integer.BYTES + text.length);
        }
        ByteBuffer content = ByteBuffer.allocate(length)
                .put(VERSION)
                .put((byte) CAUSES.indexOf(request.cause()))
                .putShort((short) request.headers().size());
        texts.forEach(text -> content.putInt(text.length).put(text));
        return content.put(request.body()).array();
    }

    /** Bytes with the content. */
    int size() {
        return HEAD + length;
    }

    /** Null when the content is damaged. */
    @Nullable
    QuarantinedRequest request(byte[] content) {
        if (content.length != length || checksum(content, length) != checksum) {
            return null;
        }
        try {
            return decode(ByteBuffer.wrap(content));
        } catch (BufferUnderflowException e) {
            return null;
        }
    }

    private @Nullable QuarantinedRequest decode(ByteBuffer content) {
        byte version = content.get();
        int cause = content.get();
        if (version != VERSION || cause < 0 || cause >= CAUSES.size()) {
            return null;
        }
        int count = content.getShort() & 0xffff;
        String endpoint = text(content);
        String address = text(content);
        String query = text(content);
        List<QuarantinedRequest.Header> headers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            headers.add(new QuarantinedRequest.Header(text(content), text(content)));
        }
        byte[] body = new byte[content.remaining()];
        content.get(body);
        return new QuarantinedRequest(id, receivedAt, endpoint, CAUSES.get(cause), address, query, headers, body);
    }

    private static String text(ByteBuffer content) {
        int length = content.getInt();
        if (length < 0 || length > content.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] text = new byte[length];
        content.get(text);
        return new String(text, UTF_8);
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
