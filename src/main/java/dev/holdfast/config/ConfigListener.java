package dev.holdfast.config;

import java.util.List;

/** Is told what the configuration's file says now. By one thread at a time, which may be kept waiting. */
public interface ConfigListener {
    /**
     * It can be used.
     *
     * @return whether anything in it differs from what is in force
     */
    boolean changed(LoadedConfig loaded);

    /** It can't be used. */
    void refused(List<String> problems);
}
