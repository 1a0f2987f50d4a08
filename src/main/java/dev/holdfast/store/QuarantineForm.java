package dev.holdfast.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The byte form of a {@link QuarantinedRequest}, without its identifier and time. All numbers are big-endian.
 *
 * <pre>
 * 0  version   1 byte    {@value #VERSION}
 * 1  cause     1 byte    its place in {@link QuarantinedRequest.Cause}
 * 2  headers   2 bytes   how many
 * 4  endpoint, address, query, then each header's name and value: each as
 *      length  4 bytes
 *      bytes             UTF-8
 * ·  body      all the rest, the exact bytes
 * </pre>
 */
final class QuarantineForm {
    static final byte VERSION = 1;

    private static final List<QuarantinedRequest.Cause> CAUSES = List.of(QuarantinedRequest.Cause.values());

    private QuarantineForm() {}

    static byte[] encode(QuarantinedRequest request) {
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
        ByteBuffer form = ByteBuffer.allocate(length)
                .put(VERSION)
                .put((byte) CAUSES.indexOf(request.cause()))
                .putShort((short) request.headers().size());
        texts.forEach(text -> form.putInt(text.length).put(text));
        return form.put(request.body()).array();
    }

    /** @throws StoreException when that is no such form */
    static QuarantinedRequest decode(long id, long receivedAt, byte[] form) {
        ByteBuffer source = ByteBuffer.wrap(form);
        try {
            byte version = source.get();
            int cause = source.get();
            if (version != VERSION || cause < 0 || cause >= CAUSES.size()) {
                throw new StoreException(broken(id, "version " + version + " with cause " + cause));
            }
            int count = source.getShort() & 0xffff;
            String endpoint = text(source);
            String address = text(source);
            String query = text(source);
            List<QuarantinedRequest.Header> headers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                headers.add(new QuarantinedRequest.Header(text(source), text(source)));
            }
            byte[] body = new byte[source.remaining()];
            source.get(body);
            return new QuarantinedRequest(id, receivedAt, endpoint, CAUSES.get(cause), address, query, headers, body);
        } catch (BufferUnderflowException e) {
            throw new StoreException(broken(id, "texts that end past it"), e);
        }
    }

    private static String text(ByteBuffer source) {
        int length = source.getInt();
        if (length < 0 || length > source.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] text = new byte[length];
        source.get(text);
        return new String(text, UTF_8);
    }

    private static String broken(long id, String found) {
        return "the record of quarantined request " + id + " is broken: found " + found + " (expected: version "
                + VERSION + ")";
    }
}
