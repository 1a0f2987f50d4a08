package dev.holdfast.cli;

import java.io.IOException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A verb that changes those that are chosen. Nobody changes all of them by leaving something out. */
abstract class ChangeCommand extends GatewayCommand {
    private final String path;
    private final String count;

    @Mixin
    private final Choice choice;

    @Option(names = "--all", description = "All of them.")
    private boolean all;

    @Option(names = "--dry-run", description = "Only counts them.")
    private boolean dryRun;

    /**
     * @param path the verb's in the API
     * @param count its name in the answer
     */
    ChangeCommand(CliEnvironment cli, String path, String count, Choice choice) {
        super(cli);
        this.path = path;
        this.count = count;
        this.choice = choice;
    }

    /** What the API wants. */
    RequestParameters fields() {
        RequestParameters fields = choice.fields();
        if (fields.isEmpty() && !all) {
            throw usedWrongly("found nothing that says which, expected " + choice.options() + ", or --all");
        }
        return fields.put("all", all ? true : null).put("dryRun", dryRun ? true : null);
    }

    @Override
    ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        return client.post(path, fields().object(), count);
    }

    /** Whether those that were named aren't there; of all there may be none. */
    final boolean isAmiss(long count) {
        return count == 0 && !all;
    }

    /** What was chosen, as options. */
    final String chosen() {
        return choice.fields().options();
    }

    final String are(long count) {
        return count + (dryRun ? " would be " : count == 1 ? " is " : " are ");
    }
}
