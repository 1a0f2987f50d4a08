package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code quarantine verify}. */
@Command(
        name = "verify",
        description = "Checks quarantined requests with the secrets of now, and makes late pushes of those that match.")
final class QuarantineVerifyCommand extends ChangeCommand {
    private static final String PATH = "/quarantine/verify";
    private static final List<String> COUNTS = List.of("pushes", "duplicates", "wrong", "unknownEndpoint", "failed");

    QuarantineVerifyCommand(CliEnvironment cli) {
        super(cli, PATH, "pushes", new QuarantineChoice());
    }

    /** Goes on where the gateway has stopped to answer. */
    @Override
    ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        RequestParameters fields = fields();
        ManagementClient.Answer sum = client.post(PATH, fields.object(), "pushes");
        ManagementClient.Answer last = sum;
        Progress progress = progress();
        while (last.json().has("next")) {
            progress.show("checked up to " + last.json().get("next").asLong());
            fields.put("from", last.json().get("next").asLong());
            last = more(sum.json(), progress, () -> client.post(PATH, fields.object(), "pushes"));
            if (last.problem() != null) {
                return last;
            }
            add((ObjectNode) sum.json(), last.json());
        }
        progress.end();
        return sum;
    }

    private static void add(ObjectNode sum, JsonNode more) {
        COUNTS.forEach(
                name -> sum.put(name, sum.get(name).asLong() + more.get(name).asLong()));
        sum.remove("next");
        if (more.has("next")) {
            sum.set("next", more.get("next"));
        }
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        long pushes = count(answer, "pushes");
        out.println(
                are(pushes) + (pushes == 1 ? "a push" : "pushes") + " now, in the order of their arrival, marked late");
        say(out, answer, "duplicates", "in the journal already, and gone from the quarantine");
        staying(out, answer, "wrong", "no match for the secrets of now");
        staying(out, answer, "unknownEndpoint", "of an endpoint that is not configured");
        staying(out, answer, "failed", "authentic and could not be stored at the moment, so try again");
    }

    private void staying(PrintWriter out, JsonNode answer, String name, String why) {
        say(out, answer, name, why + (count(answer, name) == 1 ? ", and stays" : ", and stay"));
    }

    private void say(PrintWriter out, JsonNode answer, String name, String what) {
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
