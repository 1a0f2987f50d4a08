package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.cli.terminal.Progress;
import java.io.IOException;
import picocli.CommandLine.Option;

/** The options of every verb that changes what is chosen. Nobody changes everything by leaving something out. */
final class Change {
    @Option(names = "--all", description = "All of them.")
    private boolean all;

    @Option(names = "--dry-run", description = "Only counts them.")
    private boolean dryRun;

    /** The choice, as the API wants it. */
    RequestParameters fields(GatewayOptions gateway, Choice choice) {
        RequestParameters fields = choice.fields();
        if (fields.isEmpty() && !all) {
            throw gateway.usedWrongly("found nothing that says which, expected " + choice.options() + ", or --all");
        }
        return fields.put("all", all ? true : null).put("dryRun", dryRun ? true : null);
    }

    /** Gives up those that are chosen, in as many parts as the gateway answers in, and returns the exit status. */
    int discard(GatewayOptions gateway, String path, Choice choice, String reason)
            throws IOException, InterruptedException {
        RequestParameters fields = fields(gateway, choice).put("reason", reason);
        ManagementClient client = gateway.client();
        GatewayOptions.Page page = () -> client.post(path, fields, "discarded");
        Output.Words words = (sum, out) -> out.println(
                isAmiss(discarded(sum))
                        ? "found nothing of" + choice.fields().options()
                        : are(discarded(sum)) + "discarded");
        Progress progress = gateway.progress();
        ObjectNode sum = (ObjectNode) page.ask();
        while (sum.has("more")) {
            progress.show(discarded(sum) + " discarded");
            JsonNode part = gateway.more(sum, words, progress, page);
            sum = ((ObjectNode) part).put("discarded", discarded(sum) + discarded(part));
        }
        progress.end();
        gateway.show(sum, words);
        return isAmiss(discarded(sum)) ? ExitStatus.FAILED : ExitStatus.DONE;
    }

    private static long discarded(JsonNode answer) {
        return answer.get("discarded").asLong();
    }

    /** Whether something was named and nothing of it is there; with {@code --all} there may be nothing. */
    boolean isAmiss(long count) {
        return count == 0 && !all;
    }

    String are(long count) {
        return count + (dryRun ? " would be " : count == 1 ? " is " : " are ");
    }
}
