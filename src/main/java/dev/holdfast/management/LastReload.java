package dev.holdfast.management;

import java.time.Instant;
import java.util.List;

/**
 * The last attempt to take a changed configuration file.
 *
 * @param problems why it was not accepted, one line for each
 * @param needsRestart keys whose changes wait for a restart
 */
public record LastReload(Instant at, boolean accepted, List<String> problems, List<String> needsRestart) {
    public LastReload {
        problems = List.copyOf(problems);
        needsRestart = List.copyOf(needsRestart);
    }
}
