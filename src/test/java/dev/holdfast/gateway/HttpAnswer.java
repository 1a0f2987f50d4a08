package dev.holdfast.gateway;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An answer as it came over the wire.
 *
 * @param headers by name in lower case
 */
record HttpAnswer(int status, Map<String, List<String>> headers, String body) {
    @Nullable
    String header(String name) {
        List<String> values = headers.get(name);
        return values == null ? null : String.join(", ", values);
    }
}
