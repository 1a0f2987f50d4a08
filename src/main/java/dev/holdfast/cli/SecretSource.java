package dev.holdfast.cli;

import dev.holdfast.config.Secret;
import dev.holdfast.config.SecretFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say where the signing secret is, for every verb that has them. */
final class SecretSource {
    private static final String USUAL_VARIABLE = "HOLDFAST_SECRET";

    @Spec(Target.MIXEE)
    private CommandSpec verb = CommandSpec.create();

    @ArgGroup
    private Choice choice = new Choice();

    private static final class Choice {
        @Option(
                names = "--secret-env",
                paramLabel = "NAME",
                description = "The environment variable that holds the secret. Default: " + USUAL_VARIABLE)
        private @Nullable String variable;

        @Option(
                names = "--secret-file",
                paramLabel = "FILE",
                description = "The file that holds the secret; one newline at its end is dropped.")
        private @Nullable Path file;

        @Option(
                names = "--secret",
                paramLabel = "SECRET",
                description = "The secret itself; others on this machine can see it while the command runs.")
        private @Nullable String secret;
    }

    /**
     * The secret that the options name.
     *
     * @throws ParameterException when there is none
     * @throws IOException when its file can't be read
     */
    Secret resolve(Map<String, String> environment) throws IOException {
        String value = value(environment);
        if (value.isEmpty()) {
            throw new ParameterException(verb.commandLine(), "found an empty secret, expected one");
        }
        return new Secret(value);
    }

    private String value(Map<String, String> environment) throws IOException {
        if (choice.secret != null) {
            return choice.secret;
        }
        if (choice.file != null) {
            return read(choice.file);
        }
        String name = choice.variable == null ? USUAL_VARIABLE : choice.variable;
        String value = environment.get(name);
        if (value == null) {
            throw new ParameterException(
                    verb.commandLine(),
                    "found no environment variable " + name + ", expected the secret in it,"
                            + " or --secret-env, --secret-file or --secret");
        }
        return decoded(value);
    }

    /** Java decodes the environment by the locale, and leaves this mark where it could not: another secret. */
    private String decoded(String value) {
        if (value.indexOf('\uFFFD') >= 0) {
            throw new ParameterException(
                    verb.commandLine(),
                    "found a secret that this locale can't decode, expected a UTF-8 locale such as LC_ALL=C.UTF-8,"
                            + " or --secret-file");
        }
        return value;
    }

    private static String read(Path file) throws IOException {
        try {
            return SecretFile.read(file);
        } catch (IOException e) {
            throw new IOException("found no readable UTF-8 file " + file + ", expected the secret in it", e);
        }
    }
}
