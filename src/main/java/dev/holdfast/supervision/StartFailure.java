package dev.holdfast.supervision;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.FailureText;
import dev.holdfast.logging.Printable;
import java.util.List;
import java.util.Map;

/** Makes the failure of a consumer's start fit to be shown: one line of bounded length, without the options' values. */
final class StartFailure {
    private static final int LONGEST = 300;
    /** Shorter texts stand in messages by chance. */
    private static final int SHORTEST_VALUE = 4;

    private StartFailure() {}

    static String line(Throwable failure, ConsumerConfig config) {
        String line = Printable.line(FailureText.of(failure)).strip();
        String shown = without(line, "options", config.options());
        return shown.length() <= LONGEST ? shown : shown.substring(0, LONGEST) + "…";
    }

    /** Any value may be a secret: its key stands in its place. */
    private static String without(String line, String key, Object value) {
        String shown = line;
        if (value instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                shown = without(shown, key + "." + entry.getKey(), entry.getValue());
            }
        } else if (value instanceof List<?> list) {
            for (Object item : list) {
                shown = without(shown, key, item);
            }
        } else if (value instanceof String text && text.length() >= SHORTEST_VALUE) {
            shown = shown.replace(text, "(" + key + ")");
        }
        return shown;
    }
}
