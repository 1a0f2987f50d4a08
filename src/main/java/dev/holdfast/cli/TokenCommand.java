package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.cli.terminal.Facts;
import dev.holdfast.cli.terminal.Shown;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code token}. */
@Command(name = "token", description = "Shows a running gateway's access token's state, or gives it a code.")
final class TokenCommand extends VerbGroup {
    private final CliEnvironment cli;

    TokenCommand(CliEnvironment cli) {
        this.cli = cli;
    }

    /** Where the code is. */
    static final class Code {
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

    @Command(
            description = {
                "Shows the state of a running gateway's access token, never its value.",
                "Exit status 0 when there is a good one, else 1."
            })
    int status(@Mixin GatewayOptions gateway) throws IOException, InterruptedException {
        JsonNode token = gateway.client().get("/token", "state");
        show(gateway, token);
        return token.has("expiresAt") ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    @Command(
            description = {
                "Gives a running gateway an authorization code to exchange for an access token.",
                "Exit status 0 when the platform took it, else 1."
            })
    int exchange(@Mixin GatewayOptions gateway, @ArgGroup(multiplicity = "1") Code choice)
            throws IOException, InterruptedException {
        String code = choice.variable == null ? choice.code : cli.environment().get(choice.variable);
        if (code == null || code.isBlank()) {
            String where = choice.variable == null ? "--code" : "the environment variable " + choice.variable;
            throw gateway.usedWrongly("found nothing in " + where + ", expected the code");
        }
        JsonNode token =
                gateway.client().post("/token/exchange", new RequestParameters().put("code", code), "exchanged");
        show(gateway, token);
        return token.path("exchanged").asBoolean() ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    private static void show(GatewayOptions gateway, JsonNode token) throws IOException {
        gateway.show(token, (json, out) -> {
            Facts facts = new Facts(out, gateway.terminal());
            facts.say("state", Shown.text(json, "state"));
            if (json.has("expiresAt")) {
                facts.say("scope", Shown.text(json, "scope"));
                facts.say(
                        "expires",
                        Shown.text(json, "expiresAt") + ", in " + Shown.text(json, "expiresInSeconds") + " s");
            }
            if (json.has("failure")) {
                facts.say("not exchanged", Shown.text(json, "failure"));
            } else if (json.has("lastFailure")) {
                JsonNode failure = json.get("lastFailure");
                facts.say(
                        "last failure",
                        Shown.text(failure, "during") + " at " + Shown.text(failure, "at") + ": "
                                + Shown.text(failure, "message"));
            }
            if (json.has("store")) {
                facts.say("store", Shown.text(json, "store"));
            }
        });
    }
}
