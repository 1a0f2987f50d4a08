package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code quarantine verify} and {@code quarantine discard} have in common. */
abstract class QuarantineChangeCommand extends GatewayCommand {
    private final String path;

    @Mixin
    private QuarantineChoice choice = new QuarantineChoice();

    @Option(names = "--all", description = "All of them.")
    private boolean all;

    QuarantineChangeCommand(CliEnvironment cli, String path) {
        super(cli);
        this.path = path;
    }

    /** What the API wants. */
    RequestParameters fields() {
        RequestParameters fields = choice.fields();
        if (fields.isEmpty() && !all) {
            throw usedWrongly(
                    "found nothing that says which, expected --endpoint, --cause, --id, --from, --to, --since or"
                            + " --until, or --all");
        }
        return fields.put("all", all ? true : null);
    }

    @Override
    ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        return client.post(path, fields().object());
    }

    private static String are(long requests) {
        return requests + (requests == 1 ? " is " : " are ");
    }

    /** {@code quarantine verify}. */
    @Command(
            name = "verify",
            description =
                    "Checks quarantined requests with the secrets of now, and makes late pushes of those that match.")
    static final class Verify extends QuarantineChangeCommand {
        private static final List<String> COUNTS =
                List.of("pushes", "duplicates", "wrong", "unknownEndpoint", "failed");

        Verify(CliEnvironment cli) {
            super(cli, "/api/quarantine/verify");
        }

        /** Goes on where the gateway has stopped to answer. */
        @Override
        ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
            RequestParameters fields = fields();
            ManagementClient.Answer sum = client.post("/api/quarantine/verify", fields.object());
            ManagementClient.Answer last = sum;
            while (last.json().has("next")) {
                fields.put("from", last.json().get("next").asLong());
                last = client.post("/api/quarantine/verify", fields.object());
                if (last.json().has("error")) {
                    return last;
                }
                add((ObjectNode) sum.json(), last.json());
            }
            if (sum.json() instanceof ObjectNode counts) {
                counts.remove("next");
            }
            return sum;
        }

        private static void add(ObjectNode sum, JsonNode more) {
            COUNTS.forEach(name ->
                    sum.put(name, sum.get(name).asLong() + more.get(name).asLong()));
        }

        @Override
        void print(JsonNode answer, PrintWriter out) {
            out.println(are(count(answer, "pushes")) + "pushes now, in the order of their arrival, marked late");
            say(out, answer, "duplicates", "in the journal already, and gone from the quarantine");
            say(out, answer, "wrong", "no match for the secrets of now, and stay");
            say(out, answer, "unknownEndpoint", "of an endpoint that is not configured, and stay");
            say(out, answer, "failed", "authentic and could not be stored at the moment, and stay: try again");
        }

        private static void say(PrintWriter out, JsonNode answer, String name, String what) {
            if (count(answer, name) > 0) {
                out.println(are(count(answer, name)) + what);
            }
        }

        private static long count(JsonNode answer, String name) {
            return answer.get(name).asLong();
        }

        /** Failed when something could not be stored, or when there was something to check and none of it matched. */
        @Override
        int status(JsonNode answer) {
            long gone = count(answer, "pushes") + count(answer, "duplicates");
            long staying = count(answer, "wrong") + count(answer, "unknownEndpoint");
            boolean failed = count(answer, "failed") > 0 || (gone == 0 && staying > 0);
            return failed ? ExitStatus.FAILED : ExitStatus.DONE;
        }
    }

    /** {@code quarantine discard}. */
    @Command(name = "discard", description = "Gives quarantined requests up for good.")
    static final class Discard extends QuarantineChangeCommand {
        @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why; it goes into the log.")
        private String reason = "";

        Discard(CliEnvironment cli) {
            super(cli, "/api/quarantine/discard");
        }

        @Override
        RequestParameters fields() {
            return super.fields().put("reason", reason);
        }

        @Override
        void print(JsonNode answer, PrintWriter out) {
            out.println(are(answer.get("discarded").asLong()) + "discarded");
        }
    }
}
