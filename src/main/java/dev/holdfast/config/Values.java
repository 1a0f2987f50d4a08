package dev.holdfast.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the values of a configuration. Mistakes go to the {@link Problems}. */
record Values(Problems problems, Substitution substitution) {
    /** A single value, all substitutions done; empty when it is wrong. */
    <T> Optional<T> read(Node value, String where, ValueType<T> type) {
        if (!(value instanceof Node.Scalar scalar) || value.isNothing()) {
            problems.add(value.line(), where, value.kind(), type.expected());
            return Optional.empty();
        }
        try {
            T read = type.read(substitution.apply(scalar.text()));
            if (read instanceof Secret secret && secret.isPadded()) {
                problems.warn(
                        value.line(),
                        where,
                        "a secret that begins or ends with white space",
                        "none around it: it counts as a part of the secret");
            }
            return Optional.of(read);
        } catch (InvalidValue e) {
            String found = e.found().isEmpty() ? found(scalar) : e.found();
            problems.add(value.line(), where, found, e.expected());
            return Optional.empty();
        }
    }

    /** Checks a file, on which the configuration depends from now on. */
    @Nullable
    InvalidValue inspect(Path file, NamedFiles.Kind kind) {
        substitution.files().add(file);
        try {
            kind.read(file);
            return null;
        } catch (InvalidValue e) {
            return e;
        }
    }

    boolean isEmptyText(Node value) {
        try {
            return value instanceof Node.Scalar scalar
                    && substitution.apply(scalar.text()).isEmpty();
        } catch (InvalidValue e) {
            return false;
        }
    }

    /**
     * The value as written. The content of a variable or a file isn't shown, since it may be a secret in the wrong
     * place.
     */
    String found(Node.Scalar scalar) {
        String written = '"' + scalar.text().replace("\n", "\\n").replace("\r", "\\r") + '"';
        if (!Substitution.isIn(scalar.text())) {
            return written;
        }
        return written + (isEmptyText(scalar) ? ", which is empty" : " (its value is not shown)");
    }

    /**
     * Whatever is written there: strings, numbers, booleans, lists and maps.
     *
     * @param asWritten whether a number that would be shown otherwise than it is written, such as {@code 007}, is a string
     */
    Map<String, Object> map(Node.Mapping mapping, String where, boolean asWritten) {
        Map<String, Object> map = new LinkedHashMap<>();
        mapping.entries().forEach((key, value) -> map.put(key, any(value, where + "." + key, asWritten)));
        return Map.copyOf(map);
    }

    private Object any(Node value, String where, boolean asWritten) {
        if (value instanceof Node.Mapping mapping) {
            return map(mapping, where, asWritten);
        }
        if (value instanceof Node.Sequence sequence) {
            List<Object> list = new ArrayList<>();
            for (Node item : sequence.items()) {
                list.add(any(item, where + "[" + list.size() + "]", asWritten));
            }
            return List.copyOf(list);
        }
        Node.Scalar scalar = (Node.Scalar) value;
        boolean altered =
                scalar.value() instanceof Number number && !number.toString().equals(scalar.text());
        if (scalar.value() != null && !(scalar.value() instanceof String) && !(asWritten && altered)) {
            return scalar.value();
        }
        return read(scalar, where, ValueType.TEXT).orElse("");
    }
}
