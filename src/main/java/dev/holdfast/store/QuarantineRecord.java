package dev.holdfast.store;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request's record in a {@link QuarantineFile}. All numbers are big-endian.
 *
 * <pre>
 *  0  marker      4 bytes  {@code HFQr}
 *  4  length      4 bytes  of the content
 *  8  id          8 bytes
 * 16  receivedAt  8 bytes  milliseconds since the epoch
 * 24  checksum    4 bytes  CRC32C of the content
 * 28  checksum    4 bytes  CRC32C of the 28 bytes before
 * 32  content              {@link QuarantineForm}
 * </pre>
 *
 * @param length of the content
 * @param checksum of the content
 */
record QuarantineRecord(int length, long id, long receivedAt, int checksum) {
    static final int HEAD = 32;

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
        byte[] content = QuarantineForm.encode(request);
        ByteBuffer record = ByteBuffer.allocate(HEAD + content.length)
                .putInt(MARKER)
                .putInt(content.length)
                .putLong(request.id())
                .putLong(request.receivedAt())
                .putInt(checksum(content, content.length));
        record.putInt(checksum(record.array(), CHECKED)).put(content);
        return record.flip();
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
            return QuarantineForm.decode(id, receivedAt, content);
        } catch (StoreException e) {
            return null;
        }
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
