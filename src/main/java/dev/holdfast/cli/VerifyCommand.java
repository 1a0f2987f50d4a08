package dev.holdfast.cli;

import dev.holdfast.config.Secret;
import dev.holdfast.logging.Counted;
import dev.holdfast.signature.LiveSecrets;
import dev.holdfast.signature.SignatureScheme;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast verify}: whether a signature is that of the body on standard input. */
@Command(
        name = "verify",
        description = {
            "Says whether a signature is that of a body; exit status 0 when it is, else 1.",
            "The body is every byte of standard input."
        })
final class VerifyCommand implements Callable<Integer> {
    private static final int LENGTH = 40;

    private final CliEnvironment cli;

    @Mixin
    private SecretSource source = new SecretSource();

    @Option(
            names = "--signature",
            required = true,
            paramLabel = "HEX",
            description = "The signature header's value: 40 hexadecimal digits in either case.")
    private String signature = "";

    VerifyCommand(CliEnvironment cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() throws IOException {
        Secret secret = source.resolve(cli.environment());
        if (!SignatureScheme.isWellFormed(signature)) {
            cli.out().println("the signature is malformed: " + malformation());
            return ExitStatus.FAILED;
        }
        byte[] body = cli.in().readAllBytes();
        boolean matches = new LiveSecrets(List.of(secret)).matches(body, signature);
        cli.out().println(matches ? "the signature matches" : "the signature does not match");
        return matches ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    private String malformation() {
        String found = signature.length() == LENGTH
                ? "a character that is no hexadecimal digit"
                : Counted.of(signature.length(), "character");
        return "found " + found + ", expected " + LENGTH + " hexadecimal digits";
    }
}
