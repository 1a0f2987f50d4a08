package dev.holdfast.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads {@code holdfast.yaml}. Loading twice what has not changed gives equal records. Stateless; any thread, but not an
 * event loop: it reads files.
 */
public final class ConfigLoader {
    private ConfigLoader() {}

    /**
     * Loads a configuration, with warnings of what is unwise in it.
     *
     * @param environment where <code>${NAME}</code> is looked up
     * @throws ConfigException with every problem of the file
     */
    public static LoadedConfig read(Path file, Map<String, String> environment) {
        return read(file, environment, ConsumerCheck.NONE);
    }

    /**
     * The same, and checks the consumers.
     *
     * @throws ConfigException with every problem of the file
     */
    public static LoadedConfig read(Path file, Map<String, String> environment, ConsumerCheck check) {
        return read(file, environment, check, new JudgedFiles());
    }

    /**
     * The same for a gateway that runs: pipes are refused.
     *
     * @throws ConfigException with every problem of the file
     */
    public static LoadedConfig readAgain(Path file, Map<String, String> environment, ConsumerCheck check) {
        return read(file, environment, check, JudgedFiles.withoutPipes());
    }

    private static LoadedConfig read(
            Path file, Map<String, String> environment, ConsumerCheck check, JudgedFiles files) {
        Problems problems = new Problems(file);
        files.add(file);
        Node.Mapping yaml = YamlText.read(text(file, files), problems);
        // After a mistake in the YAML only a part was read: it would seem to lack keys that it has.
        problems.throwIfAny(files);
        Substitution substitution = new Substitution(environment, files);
        HoldfastConfig config = ConfigRecords.read(Section.root(yaml, problems, substitution), check, files);
        problems.throwIfAny(files);
        List<String> warnings = new ArrayList<>(problems.warnings());
        HeapPlan.ofProcess().complaint(config).ifPresent(complaint -> warnings.add(file + ": " + complaint));
        return new LoadedConfig(config, warnings, files.digests());
    }

    private static String text(Path file, JudgedFiles files) {
        String found;
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            found = "no such file";
        } catch (CharacterCodingException e) {
            found = "bytes that are not UTF-8";
        } catch (IOException e) {
            found = Files.isDirectory(file)
                    ? "a directory"
                    : "a file that can't be read (" + e.getClass().getSimpleName() + ")";
        }
        throw new ConfigException(List.of(file + ": found " + found + ", expected a YAML file"), files.digests());
    }
}
