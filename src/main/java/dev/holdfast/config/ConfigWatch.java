package dev.holdfast.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Notices when the configuration changes: the file itself, or a file that it is judged by, such as one named with
 * <code>${file:...}</code>. Looks at their contents, not at their times, so that a secret store that swaps links is seen
 * too.
 *
 * <p>Call {@link #check} every second or two, never on an event loop: it reads files. The listener is called on the thread
 * that checks, and what it is told first was read first, whoever asks.
 */
public final class ConfigWatch {
    private static final String ABSENT = "absent";

    private final Path file;
    private final Map<String, String> environment;
    private final ConsumerCheck consumers;
    private final ConfigListener listener;
    private HoldfastConfig told;
    private Set<Path> named;
    private Map<Path, String> judged;
    private Map<Path, String> seen;
    private List<String> problems = List.of();

    /**
     * @param loaded what is in force, as loaded from {@code file}
     * @param listener gets each new configuration that differs from the one before
     */
    public ConfigWatch(
            Path file,
            Map<String, String> environment,
            ConsumerCheck consumers,
            LoadedConfig loaded,
            ConfigListener listener) {
        this.file = file;
        this.environment = Map.copyOf(environment);
        this.consumers = consumers;
        this.listener = listener;
        this.told = loaded.config();
        this.named = loaded.files();
        // What changed between the load and now is told by the first load of a check.
        this.judged = Map.of();
        this.seen = Map.of();
    }

    /**
     * Loads the configuration again when its contents have changed and have been the same in two checks in a row: a file
     * that is being written is half a file. A bad one is told once.
     */
    public synchronized void check() {
        Map<Path, String> now = contents();
        boolean settled = now.equals(seen);
        seen = now;
        if (settled && !now.equals(judged)) {
            judged = now;
            load(false);
        }
    }

    /**
     * Loads the configuration again at once and tells what is in it, be it the same as before: whoever asks for that has
     * mended something.
     *
     * @return whether anything differed from what was in force, or was refused
     */
    public synchronized boolean load() {
        judged = contents();
        seen = judged;
        return load(true);
    }

    private boolean load(boolean asked) {
        try {
            LoadedConfig loaded = ConfigLoader.read(file, environment, consumers);
            named = loaded.files();
            boolean mended = !problems.isEmpty();
            problems = List.of();
            if (!asked && !mended && loaded.config().equals(told)) {
                return false;
            }
            told = loaded.config();
            return listener.changed(loaded);
        } catch (ConfigException e) {
            named = e.files();
            // One that names other files than before is judged a second time, with theirs; that is not to be told
            // again.
            if (asked || !e.problems().equals(problems)) {
                problems = e.problems();
                listener.refused(problems);
            }
            return true;
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
