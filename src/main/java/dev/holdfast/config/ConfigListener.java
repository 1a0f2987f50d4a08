package dev.holdfast.config;

import java.util.List;

/** Gets what the configuration's file says now. Called by one thread at a time, which may be kept waiting. */
public interface ConfigListener {
    /**
     * The file can be used.
     *
     * @return whether anything in it differs from what is in force
     */
    boolean changed(LoadedConfig loaded);

    /** The file can't be used. */
    void refused(List<String> problems);
}
