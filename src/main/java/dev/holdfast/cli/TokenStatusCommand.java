package dev.holdfast.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code token status}: how it stands with a running gateway's access token. */
@Command(
        name = "status",
        description = {
            "Shows the state of a running gateway's access token, never its value.",
            "Exit status 0 when there is a good one, else 1."
        })
final class TokenStatusCommand implements Callable<Integer> {
    private final CliEnvironment cli;

    @Mixin
    private ManagementAddress gateway = new ManagementAddress();

    @Option(names = "--output", paramLabel = "FORM", description = "How to write it: text or json. Default: text")
    private OutputFormat output = OutputFormat.text;

    TokenStatusCommand(CliEnvironment cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        ManagementClient.Answer answer = gateway.client(cli.environment()).get("/token", "state");
        cli.out().println(TokenText.of(answer, output));
        return answer.json().has("expiresAt") ? ExitStatus.DONE : ExitStatus.FAILED;
    }
}
