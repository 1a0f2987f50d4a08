package dev.holdfast.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices when the configuration changes: the file itself, or a file that it is judged by, such as one named with
 * <code>${file:...}</code>. Looks at their contents, not at their times, so that a secret store that swaps links is seen
 * too.
 *
 * <p>Call {@link #check} every second or two, never on an event loop: it reads files. One check at a time; the listener
 * is called on the thread that checks.
 */
public final class ConfigWatch {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigWatch.class);
    private static final String ABSENT = "absent";

    private final Path file;
    private final Map<String, String> environment;
    private final Consumer<HoldfastConfig> listener;
    private final Consumer<String> refusals;
    private HoldfastConfig current;
    private Set<Path> named;
    private Map<Path, String> judged;
    private Map<Path, String> seen;
    private String refusal = "";

    /**
     * @param loaded what is in force, as loaded from {@code file}
     * @param listener gets each new configuration that differs from the one in force
     */
    public ConfigWatch(
            Path file, Map<String, String> environment, LoadedConfig loaded, Consumer<HoldfastConfig> listener) {
        this(file, environment, loaded, listener, LOG::error);
    }

    /**
     * @param refusals gets a message for each bad change
     */
    ConfigWatch(
            Path file,
            Map<String, String> environment,
            LoadedConfig loaded,
            Consumer<HoldfastConfig> listener,
            Consumer<String> refusals) {
        this.file = file;
        this.environment = Map.copyOf(environment);
        this.listener = listener;
        this.refusals = refusals;
        this.current = loaded.config();
        this.named = loaded.files();
        // What changed between the load and now is told by the first load of a check.
        this.judged = Map.of();
        this.seen = Map.of();
    }

    /**
     * Loads the configuration again when its contents have changed and have been the same in two checks in a row: a file
     * that is being written is half a file. A bad one is logged once and the old one stays in force.
     */
    public synchronized void check() {
        Map<Path, String> now = contents();
        boolean settled = now.equals(seen);
        seen = now;
        if (settled && !now.equals(judged)) {
            judged = now;
            reload();
        }
    }

    private void reload() {
        try {
            LoadedConfig loaded = ConfigLoader.read(file, environment);
            named = loaded.files();
            refusal = "";
            if (!loaded.config().equals(current)) {
                loaded.warnings().forEach(LOG::warn);
                current = loaded.config();
                listener.accept(current);
            }
        } catch (ConfigException e) {
            named = e.files();
            refuse(String.join("\n", e.problems()));
        }
    }

    /** A file that names other files than before is judged a second time, with theirs; that is not to be logged again. */
    private void refuse(String message) {
        if (!message.equals(refusal)) {
            refusal = message;
            refusals.accept("The changed configuration is refused and the old one stays in force:\n" + message);
        }
    }

    private Map<Path, String> contents() {
        Map<Path, String> contents = new HashMap<>();
        contents.put(file, digest(file));
        named.forEach(name -> contents.put(name, digest(name)));
        return contents;
    }

    private static String digest(Path file) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            return HexFormat.of().formatHex(digest);
        } catch (IOException e) {
            return ABSENT;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256, which every Java must have", e);
        }
    }
}
