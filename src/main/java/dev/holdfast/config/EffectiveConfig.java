package dev.holdfast.config;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The configuration in force as text for the log: every key with its value, secrets as asterisks. */
public final class EffectiveConfig {
    private final List<String> lines = new ArrayList<>();

    private EffectiveConfig() {}

    /**
     * One line for each key that has a value, such as {@code receiver.port: 8080}, separated by newlines. A consumer's
     * options are its own business and may hold secrets: their names are shown and none of their values.
     */
    public static String render(HoldfastConfig config) {
        EffectiveConfig text = new EffectiveConfig();
        text.add("", config);
        return String.join("\n", text.lines);
    }

    private void add(String key, @Nullable Object value) {
        if (value instanceof Record section) {
            addSection(key, section);
        } else if (value instanceof List<?> list && list.stream().anyMatch(Record.class::isInstance)) {
            for (int i = 0; i < list.size(); i++) {
                add(key + "[" + i + "]", list.get(i));
            }
        } else if (value != null) {
            lines.add(key + ": " + show(value));
        }
    }

    private void addSection(String key, Record section) {
        for (RecordComponent component : section.getClass().getRecordComponents()) {
            String name = component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            add(key.isEmpty() ? name : key + "." + name, read(component, section));
        }
    }

    private static @Nullable Object read(RecordComponent component, Record section) {
        try {
            return component.getAccessor().invoke(section);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("can't read " + component + ", which is public", e);
        }
    }

    private static String show(Object value) {
        if (value instanceof Long bytes) {
            return ByteSize.show(bytes);
        }
        if (value instanceof Duration duration) {
            return TimeSpan.show(duration);
        }
        if (value instanceof Enum<?> choice) {
            return choice.name().toLowerCase(Locale.ROOT);
        }
        return value instanceof Map<?, ?> options ? showNames(options) : value.toString();
    }

    /** A consumer's options without their values. */
    static String showNames(Map<?, ?> options) {
        TreeSet<String> names = new TreeSet<>();
        options.keySet().forEach(name -> names.add(name + "=********"));
        return "{" + String.join(", ", names) + "}";
    }
}
