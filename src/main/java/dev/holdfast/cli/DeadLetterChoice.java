package dev.holdfast.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which dead letters are meant. */
final class DeadLetterChoice {
    @Option(names = "--consumer", paramLabel = "NAME", description = "Those of one consumer.")
    private @Nullable String consumer;

    @Option(names = "--event", paramLabel = "PATTERN", description = "Those of an event, or of some: client.*")
    private @Nullable String event;

    @Option(names = "--from", paramLabel = "SEQ", description = "Those from this position on.")
    private @Nullable Long from;

    @Option(names = "--to", paramLabel = "SEQ", description = "Those up to this position.")
    private @Nullable Long to;

    @Option(names = "--seq", paramLabel = "SEQ", description = "Those of one push.")
    private @Nullable Long seq;

    /** As the API wants it. */
    Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        put(fields, "consumer", consumer);
        put(fields, "event", event);
        put(fields, "from", seq == null ? from : seq);
        put(fields, "to", seq == null ? to : seq);
        return fields;
    }

    private static void put(Map<String, String> fields, String name, @Nullable Object value) {
        if (value != null) {
            fields.put(name, value.toString());
        }
    }

    /** As a query, with a {@code ?} in front where there is one. */
    static String query(Map<String, String> fields) {
        String query = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return query.isEmpty() ? "" : "?" + query;
    }
}
