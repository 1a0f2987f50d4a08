package dev.holdfast.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Starts the servers, each in a directory of its own, all with the same flags. */
final class Lineup {
    private static final String BOTH = """
              - name: conversations
                events: ["conversation.*"]
                verticle: dev.holdfast.consumer.ConversationConsumer
              - name: clients
                events: ["client.*"]
                verticle: dev.holdfast.consumer.ClientConsumer
            """;
    private static final String FORWARDER = """
              - name: forward
                events: ["*"]
                verticle: http
                retry: {max-delay: 2s}
                options: {url: "%s", request-timeout: 2s}
            """;

    private final BenchSettings settings;
    private final Children children;
    private final LocalHttp http;
    private final Path scratch;

    Lineup(BenchSettings settings, Children children, LocalHttp http, Path scratch) {
        this.settings = settings;
        this.children = children;
        this.http = http;
        this.scratch = scratch;
    }

    Contender start(String server) throws IOException {
        return switch (server) {
            case "a" -> yardstick("(a) bare Vert.x server", BareServer.class);
            case "b" -> yardstick("(b) limit: verify, append, sync", LimitServer.class);
            default -> gateway("(c) Holdfast, both consumers", settings.profile());
        };
    }

    private Contender yardstick(String title, Class<?> main) throws IOException {
        Path directory = Files.createTempDirectory(scratch, "yardstick");
        int port = LocalHttp.freePort();
        List<String> command = java(directory, List.of());
        command.addAll(List.of("-cp", settings.classes() + ":" + settings.jar(), main.getName()));
        command.addAll(List.of(Integer.toString(port), "pushes.log"));
        return new Contender(title, children, command, directory, port, http, null);
    }

    /** Holdfast as the design's section 11 configures it, on ports and a directory of its own. */
    Contender gateway(String title, @Nullable String profile) throws IOException {
        return gateway(title, profile, BOTH, 2);
    }

    /** Holdfast with a consumer that forwards everything to {@code url}; one whose server fails is tried again soon. */
    Contender forwarder(String title, String url, @Nullable String profile) throws IOException {
        return gateway(title, profile, FORWARDER.formatted(url), 1);
    }

    private Contender gateway(String title, @Nullable String profile, String consumers, int count) throws IOException {
        Path directory = Files.createTempDirectory(scratch, "gateway");
        Files.createDirectory(directory.resolve("plugins"));
        int port = LocalHttp.freePort();
        int management = LocalHttp.freePort();
        Path file = Files.writeString(directory.resolve("holdfast.yaml"), configuration(port, management, consumers));
        List<String> command = java(directory, profile == null ? List.of() : List.of(profiler(profile)));
        command.addAll(List.of("-jar", settings.jar().toString(), "run", "-c", file.toString()));
        return new Contender(
                title, children, command, directory, port, http, new GatewayMetrics(http, management, count));
    }

    private List<String> java(Path directory, List<String> flags) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(settings.jvm());
        command.add("-Djava.io.tmpdir=" + directory);
        command.addAll(flags);
        return command;
    }

    private static String configuration(int port, int management, String consumers) {
        return """
                receiver:
                  host: 127.0.0.1
                  port: %d
                  drain-delay: 0s
                  endpoints:
                    - name: default
                      path: /webhook
                      secrets: ["${HOLDFAST_SECRET}"]
                journal:
                  directory: data
                management:
                  host: 127.0.0.1
                  port: %d
                consumers:
                """.formatted(port, management) + consumers;
    }

    /** The agent writes collapsed stacks when the server ends. */
    private String profiler(String event) throws IOException {
        String platform = System.getProperty("os.arch").equals("aarch64") ? "linux-arm64" : "linux-x64";
        String name = "/" + platform + "/libasyncProfiler.so";
        Path library = scratch.resolve("libasyncProfiler.so");
        try (InputStream in = Lineup.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("found no " + name
                        + " on the class path, expected it there: run through mvn -Pbench -Dbench.profile=" + event);
            }
            Files.copy(in, library);
        }
        return "-agentpath:" + library + "=start,event=" + event + ",threads,collapsed,file="
                + settings.output().resolve("profile-" + event + ".collapsed");
    }
}
