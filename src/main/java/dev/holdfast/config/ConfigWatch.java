package dev.holdfast.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Notices when the configuration changes: the file itself, or a file that it depends on, such as one named with
 * <code>${file:...}</code>. Compares contents, not times, so that a secret store that swaps links is noticed too.
 *
 * <p>Call {@link #check} every second or two, never on an event loop: it reads files. The listener is called on the
 * thread that checks, in the order in which the files were read, whichever thread that is.
 */
public final class ConfigWatch {
    private final Supplier<LoadedConfig> reader;
    private final ConfigListener listener;
    /** Digests of the files that the last load depended on. */
    private Map<Path, String> judged;
    /** Digests of the same files at the last check. */
    private Map<Path, String> seen = Map.of();

    private List<String> problems = List.of();

    /**
     * @param reader loads the configuration, or throws a {@link ConfigException}
     * @param loaded what is in force, as it was loaded
     * @param listener gets what is read, and tells whether it differs
     */
    public ConfigWatch(Supplier<LoadedConfig> reader, LoadedConfig loaded, ConfigListener listener) {
        this.reader = reader;
        this.listener = listener;
        this.judged = loaded.files();
    }

    /**
     * Loads the configuration again when its contents have changed and have been the same in two checks in a row, since
     * a file may be half written. A faulty one is reported once.
     */
    public synchronized void check() {
        Map<Path, String> now = JudgedFiles.digests(judged.keySet());
        boolean settled = now.equals(seen);
        seen = now;
        if (settled && !now.equals(judged)) {
            judged = now;
            load(false);
        }
    }

    /**
     * Loads the configuration again at once, even if the files are the same as before: whoever asks for it has mended
     * something.
     *
     * @return whether anything differed from what was in force, or was refused
     */
    public synchronized boolean load() {
        return load(true);
    }

    private boolean load(boolean asked) {
        try {
            LoadedConfig loaded = reader.get();
            judged = loaded.files();
            problems = List.of();
            return listener.changed(loaded);
        } catch (ConfigException e) {
            judged = e.files();
            if (asked || !e.problems().equals(problems)) {
                problems = e.problems();
                listener.refused(problems);
            }
            return true;
        }
    }
}
