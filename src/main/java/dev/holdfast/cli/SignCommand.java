package dev.holdfast.cli;

import dev.holdfast.config.Secret;
import dev.holdfast.signature.SignatureScheme;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast sign}: the signature of the body on standard input. */
@Command(
        name = "sign",
        description = {
            "Prints the signature of a body.",
            "The body is every byte of standard input: printf '%%s' BODY | holdfast sign adds no newline, echo would."
        })
final class SignCommand implements Callable<Integer> {
    private final CliEnvironment cli;

    @Mixin
    private SecretSource source = new SecretSource();

    SignCommand(CliEnvironment cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() throws IOException {
        Secret secret = source.resolve(cli.environment());
        byte[] body = cli.in().readAllBytes();
        cli.out().println(SignatureScheme.sign(body, secret.bytes()));
        return ExitStatus.DONE;
    }
}
