package dev.holdfast.gateway;

import dev.holdfast.config.ConfigLoader;
import dev.holdfast.config.HoldfastConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The {@code holdfast.yaml} of a test: free ports, everything in one directory, short waits. */
final class GatewaySettings {
    private final List<String> receiver = new ArrayList<>();
    private final List<String> journal = new ArrayList<>();
    private String reserve = "reserve: 0B";
    private final List<String> sections = new ArrayList<>();
    private final List<String> management = new ArrayList<>();
    private final List<String> endpoints = new ArrayList<>();
    private final List<String> consumers = new ArrayList<>();

    /** A line of the receiver's section, such as {@code max-body: 64KiB}. */
    GatewaySettings receiver(String line) {
        receiver.add(line);
        return this;
    }

    /** A line of the journal's section, such as {@code sync-timeout: 1s}. */
    GatewaySettings journal(String line) {
        journal.add(line);
        return this;
    }

    /** A line of the management port's section, such as {@code insecure: true}. */
    GatewaySettings management(String line) {
        management.add(line);
        return this;
    }

    /** In the place of none, as {@code reserve: 1GiB}. */
    GatewaySettings withReserve(String line) {
        reserve = line;
        return this;
    }

    /** A whole section on one line, such as {@code quarantine: {max-body: 1KiB}}. */
    GatewaySettings section(String line) {
        sections.add(line);
        return this;
    }

    GatewaySettings endpoint(String name, String path, String header, String... secrets) {
        endpoints.add("{name: " + name + ", path: \"" + path + "\", signature-header: " + header + ", secrets: [\""
                + String.join("\", \"", secrets) + "\"]}");
        return this;
    }

    /**
     * A {@link RecordingConsumer} that records under {@code records}.
     *
     * @param events one pattern, or several with ", " between them
     */
    GatewaySettings consumer(String name, String events, Deliveries records, String... lines) {
        return consumer(name, events, RecordingConsumer.class.getName(), records, lines);
    }

    GatewaySettings consumer(String name, String events, String verticle, Deliveries records, String... lines) {
        StringBuilder yaml = new StringBuilder("{name: " + name + ", events: [\"" + events.replace(", ", "\", \"")
                + "\"], verticle: " + verticle + ", options: {records: " + records.key() + "}");
        if (java.util.Arrays.stream(lines).noneMatch(line -> line.startsWith("retry:"))) {
            yaml.append(", retry: {first-delay: 20ms, max-delay: 200ms, jitter: 0}");
        }
        for (String line : lines) {
            yaml.append(", ").append(line);
        }
        consumers.add(yaml.append("}").toString());
        return this;
    }

    /** A shipped consumer for everything; {@code options} is what stands between the braces. */
    GatewaySettings shipped(String name, String verticle, String options) {
        consumers.add("{name: " + name + ", events: [\"*\", \"push.unreadable\"], verticle: " + verticle
                + ", options: {" + options + "}, retry: {first-delay: 20ms, max-delay: 200ms, jitter: 0}}");
        return this;
    }

    /** Written to {@code directory} and read back the way the gateway reads it. */
    HoldfastConfig in(Path directory) {
        try {
            Path file = Files.writeString(directory.resolve("holdfast.yaml"), yaml(directory));
            return ConfigLoader.read(file, Map.of()).config();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String yaml(Path directory) {
        StringBuilder yaml = new StringBuilder("receiver:\n  host: 127.0.0.1\n");
        if (receiver.stream().noneMatch(line -> line.startsWith("port"))) {
            yaml.append("  port: 0\n");
        }
        if (receiver.stream().noneMatch(line -> line.startsWith("drain-delay"))) {
            yaml.append("  drain-delay: 0s\n");
        }
        receiver.forEach(line -> yaml.append("  ").append(line).append('\n'));
        yaml.append("  endpoints:\n");
        List<String> paths = endpoints.isEmpty()
                ? List.of("{name: default, path: /webhook, secrets: [\"" + GatewayUnderTest.SECRET + "\"]}")
                : endpoints;
        paths.forEach(endpoint -> yaml.append("    - ").append(endpoint).append('\n'));
        yaml.append("journal:\n  directory: ")
                .append(directory.resolve("data"))
                .append("\n  ")
                .append(reserve)
                .append('\n');
        journal.forEach(line -> yaml.append("  ").append(line).append('\n'));
        sections.forEach(line -> yaml.append(line).append('\n'));
        yaml.append("plugins: ").append(directory.resolve("plugins")).append('\n');
        if (!consumers.isEmpty()) {
            yaml.append("consumers:\n");
            consumers.forEach(consumer -> yaml.append("  - ").append(consumer).append('\n'));
        }
        yaml.append("management:\n");
        if (management.stream().noneMatch(line -> line.startsWith("port"))) {
            yaml.append("  port: 0\n");
        }
        management.forEach(line -> yaml.append("  ").append(line).append('\n'));
        return yaml.toString();
    }
}
