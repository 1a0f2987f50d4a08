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
    private final Surroundings surroundings;

    @Mixin
    private ManagementAddress gateway = new ManagementAddress();

    @Option(names = "--output", paramLabel = "FORM", description = "How to write it: text or json. Default: text")
    private Form output = Form.text;

    TokenStatusCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        ManagementClient.Answer answer =
                gateway.client(surroundings.environment()).get("/api/token");
        surroundings.out().println(TokenText.of(answer.json(), output));
        return answer.json().has("expiresAt") ? HoldfastCommand.DONE : HoldfastCommand.FAILED;
    }
}
