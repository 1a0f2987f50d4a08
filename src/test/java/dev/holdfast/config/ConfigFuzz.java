package dev.holdfast.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A configuration file of any content is taken or refused with a {@link ConfigException} whose lines say what was found and
 * expected; taken twice it is the same, and it can be shown without its secrets.
 */
public final class ConfigFuzz {
    private static final Map<String, String> ENVIRONMENT = Map.of("HOLDFAST_SECRET", "a-secret-of-the-fuzzer");
    private static final Path FILE = file();

    private ConfigFuzz() {}

    private static Path file() {
        try {
            Path file = Files.createTempFile("holdfast", ".yaml");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<String> seeds() {
        try {
            return List.of(
                    Files.readString(Path.of("conf/holdfast.yaml")),
                    "receiver: {port: 0, max-body: 8MiB, body-timeout: 30s, endpoints: [{name: a, path: /a,"
                            + " secrets: [\"${HOLDFAST_SECRET}\"]}]}\n",
                    "consumers: [{name: a, events: [\"client.*\"], verticle: http, options: {url: \"http://h/\"},"
                            + " retry: {max-attempts: 3}, order-by: [/client/id]}]\n",
                    "management: {port: 0, a\n\nb}\n",
                    "a: &b 1\nc: *b\n? [x]\n: y\n--- 2\n",
                    "journal: {directory: \"${file:nothing}\", retention: 1d, max-size: 1e3}\n",
                    "token: {url: \"https://h/\", app-id: x, app-secret: \"${X:y}\"}\nmanagement: {token: ~}\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Loads what the inputs need, before they are timed. */
    public static void fuzzerInitialize() {
        seeds().forEach(seed -> fuzzerTestOneInput(seed.getBytes(UTF_8)));
    }

    public static void fuzzerTestOneInput(byte[] data) {
        String text = new String(data, StandardCharsets.ISO_8859_1);
        if (text.contains("/dev") || text.contains("/proc")) {
            // A file that never ends is the operator's own doing.
            return;
        }
        try {
            Files.write(FILE, data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        HoldfastConfig config;
        try {
            config = ConfigLoader.read(FILE, ENVIRONMENT).config();
        } catch (ConfigException e) {
            requireClear(e);
            return;
        }
        if (!config.equals(ConfigLoader.read(FILE, ENVIRONMENT).config())) {
            throw new AssertionError("found another configuration in the same file");
        }
        if (EffectiveConfig.render(config).contains("a-secret-of-the-fuzzer")) {
            throw new AssertionError("found the secret in " + EffectiveConfig.render(config));
        }
    }

    private static void requireClear(ConfigException refused) {
        if (refused.problems().isEmpty()) {
            throw new AssertionError("found no problem in a refusal");
        }
        for (String problem : refused.problems()) {
            if (!problem.contains("found ") || !problem.contains("expected ") || problem.contains("\n")) {
                throw new AssertionError("found \"" + problem + "\", expected one line that says found and expected");
            }
        }
        if (refused.toString().getBytes(UTF_8).length > 1 << 20) {
            throw new AssertionError("found a message of more than a MiB");
        }
    }
}
