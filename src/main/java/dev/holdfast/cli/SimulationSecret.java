package dev.holdfast.cli;

import dev.holdfast.config.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The signing secret that {@code simulate} uses, from one of three places. */
final class SimulationSecret {
    private static final String DEFAULT_VARIABLE = "HOLDFAST_SECRET";

    @Option(
            names = "--secret",
            paramLabel = "SECRET",
            description = "The signing secret. Other users of this machine can see it in the list of processes.")
    @Nullable
    String value;

    @Option(
            names = "--secret-env",
            paramLabel = "VARIABLE",
            description = "The environment variable with the signing secret (default: " + DEFAULT_VARIABLE + ").")
    @Nullable
    String variable;

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description = "The file with the signing secret; one trailing newline is dropped.")
    @Nullable
    Path file;

    /** The secret; fails with a message for the user, which never holds it. */
    Secret read(Map<String, String> environment) {
        String secret = found(environment);
        if (secret.isEmpty()) {
            throw new IllegalArgumentException("the signing secret is empty (expected: at least one character)");
        }
        return new Secret(secret);
    }

    private String found(Map<String, String> environment) {
        if (value != null) {
            return value;
        }
        if (file != null) {
            return content(file);
        }
        String name = variable == null ? DEFAULT_VARIABLE : variable;
        String secret = environment.get(name);
        if (secret == null) {
            throw new IllegalArgumentException("no signing secret: the environment variable " + name
                    + " is not set (expected: it, --secret, --secret-env or --secret-file)");
        }
        return secret;
    }

    private static String content(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.UTF_8);
            return text.endsWith("\r\n")
                    ? text.substring(0, text.length() - 2)
                    : text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        } catch (IOException e) {
            throw new IllegalArgumentException("can't read the secret's file " + file + ": " + e, e);
        }
    }
}
