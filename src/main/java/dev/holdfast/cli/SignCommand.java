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
    private final Surroundings surroundings;

    @Mixin
    private SecretSource source = new SecretSource();

    SignCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException {
        Secret secret = source.resolve(surroundings.environment());
        byte[] body = surroundings.in().readAllBytes();
        surroundings.out().println(SignatureScheme.sign(body, secret.bytes()));
        return HoldfastCommand.DONE;
    }
}
