package dev.holdfast.cli;

import dev.holdfast.config.ConfigException;
import dev.holdfast.config.ConfigLoader;
import dev.holdfast.journal.JournalException;
import dev.holdfast.journal.StoppedJournal;
import dev.holdfast.store.StoreException;
import dev.holdfast.store.StoredPositions;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that name the data directory of a stopped gateway. A directory that can't be read is a usage error. */
final class DataDirectory {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "The data directory. Default: journal.directory of the configuration")
    private @Nullable Path directory;

    @Mixin
    private ConfigFile file = new ConfigFile();

    Path path(Map<String, String> environment) {
        if (directory != null) {
            return directory;
        }
        try {
            return ConfigLoader.read(file.path(), environment)
                    .config()
                    .journal()
                    .directory();
        } catch (ConfigException e) {
            throw usedWrongly(
                    "found no data directory: " + String.join("; ", e.problems()) + ". Name it with --directory", e);
        }
    }

    StoppedJournal open(Path path) {
        try {
            return StoppedJournal.open(path);
        } catch (JournalException e) {
            throw usedWrongly(String.valueOf(e.getMessage()), e);
        }
    }

    StoredPositions positions(Path path) {
        try {
            return StoredPositions.read(path);
        } catch (StoreException e) {
            throw usedWrongly(String.valueOf(e.getMessage()), e);
        }
    }

    private ParameterException usedWrongly(String why, Exception cause) {
        return new ParameterException(spec.commandLine(), why, cause);
    }
}
