package dev.holdfast.store;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The byte form of a consumer's {@link Progress}. Numbers are big-endian, texts are a length in four bytes and UTF-8.
 *
 * <pre>
 *  0  handled    8 bytes; the record ends here when no lane is behind
 *  8  ordering   text
 *  ·  lanes      each its key, a text, and its position, 8 bytes
 * </pre>
 */
public final class ProgressForm {
    private ProgressForm() {}

    public static byte[] encode(Progress progress) {
        if (progress.behind().isEmpty()) {
            return StateKey.numbers(progress.handled());
        }
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        target.writeBytes(StateKey.numbers(progress.handled()));
        write(progress.ordering(), target);
        progress.behind().forEach((lane, seq) -> {
            write(lane, target);
            target.writeBytes(StateKey.numbers(seq));
        });
        return target.toByteArray();
    }

    public static Progress decode(byte[] bytes) {
        ByteBuffer source = ByteBuffer.wrap(bytes);
        long handled = source.getLong();
        if (!source.hasRemaining()) {
            return Progress.upTo(handled);
        }
        String ordering = text(source);
        Map<String, Long> behind = new HashMap<>();
        while (source.hasRemaining()) {
            behind.put(text(source), source.getLong());
        }
        return new Progress(handled, ordering, behind);
    }

    private static void write(String text, ByteArrayOutputStream target) {
        byte[] characters = text.getBytes(StandardCharsets.UTF_8);
        target.writeBytes(
                ByteBuffer.allocate(Integer.BYTES).putInt(characters.length).array());
        target.writeBytes(characters);
    }

    private static String text(ByteBuffer source) {
        byte[] characters = new byte[source.getInt()];
        source.get(characters);
        return new String(characters, StandardCharsets.UTF_8);
    }
}
