package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code token exchange}: gives a running gateway an authorization code. */
@Command(
        name = "exchange",
        description = {
            "Gives a running gateway an authorization code to exchange for an access token.",
            "Exit status 0 when the platform took it, else 1."
        })
final class TokenExchangeCommand extends GatewayCommand {
    private final CliEnvironment cli;

    @ArgGroup(multiplicity = "1")
    private Choice choice = new Choice();

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
        super(cli);
        this.cli = cli;
    }

    @Override
    ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        return client.post("/token/exchange", Map.of("code", code()), "exchanged");
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        out.println(TokenText.of(answer));
    }

    @Override
    int status(JsonNode answer) {
        return answer.path("exchanged").asBoolean() ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    private String code() {
        String code = choice.variable == null ? choice.code : cli.environment().get(choice.variable);
        if (code == null || code.isBlank()) {
            String where = choice.variable == null ? "--code" : "the environment variable " + choice.variable;
            throw usedWrongly("found nothing in " + where + ", expected the code");
        }
        return code;
    }
}
