package dev.holdfast.cli;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code token exchange}: gives a running gateway an authorization code. */
@Command(
        name = "exchange",
        description = {
            "Gives a running gateway an authorization code to exchange for an access token.",
            "Exit status 0 when the platform took it, else 1."
        })
final class TokenExchangeCommand implements Callable<Integer> {
    private final CliEnvironment cli;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ManagementAddress gateway = new ManagementAddress();

    @ArgGroup(multiplicity = "1")
    private Choice choice = new Choice();

    @Option(names = "--output", paramLabel = "FORM", description = "How to write it: text or json. Default: text")
    private OutputFormat output = OutputFormat.text;

    private static final class Choice {
        @Option(
                names = "--code-env",
                paramLabel = "NAME",
                description = "The environment variable that holds the code.")
        private @Nullable String variable;

        @Option(
                names = "--code",
                paramLabel = "CODE",
                description = "The code itself; others on this machine can see it while the command runs.")
        private @Nullable String code;
    }

    TokenExchangeCommand(CliEnvironment cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        String code = code();
        ManagementClient.Answer answer =
                gateway.client(cli.environment()).post("/token/exchange", Map.of("code", code), "exchanged");
        cli.out().println(TokenText.of(answer, output));
        return answer.json().path("exchanged").asBoolean() ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    private String code() {
        String code = choice.variable == null ? choice.code : cli.environment().get(choice.variable);
        if (code == null || code.isBlank()) {
            String where = choice.variable == null ? "--code" : "the environment variable " + choice.variable;
            throw new ParameterException(spec.commandLine(), "found nothing in " + where + ", expected the code");
        }
        return code;
    }
}
