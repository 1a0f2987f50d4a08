package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.cli.terminal.OutputGoneException;
import dev.holdfast.cli.terminal.Style;
import dev.holdfast.cli.terminal.Terminal;
import dev.holdfast.logging.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code status}: how a running gateway is doing, on one screen. */
@Command(
        name = "status",
        description = {
            "Shows how a running gateway is doing, on one screen, what is wrong first.",
            "Exit status 0 when it is ready and nothing is critical, else 1."
        })
final class StatusCommand implements Callable<Integer> {
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    /** After this time without an answer, the screen says that it is old. */
    private static final Duration STALE = Duration.ofSeconds(5);

    private static final String HOME = "\u001b[H";
    private static final String ERASE_TO_END_OF_LINE = "\u001b[K";
    private static final String ERASE_BELOW = "\u001b[J";

    @Mixin
    private GatewayOptions gateway;

    @Option(names = "--watch", description = "Keeps it live until Ctrl-C.")
    private boolean watch;

    @Override
    public Integer call() throws IOException, InterruptedException {
        ManagementClient client = gateway.client();
        if (watch) {
            watch(client.within(STALE));
        }
        JsonNode overview = overview(client);
        gateway.show(overview, this::print);
        boolean critical = !overview.path("ready").asBoolean();
        for (JsonNode problem : overview.get("problems")) {
            critical |= StatusScreen.isCritical(problem);
        }
        return critical ? ExitStatus.FAILED : ExitStatus.DONE;
    }

    private static JsonNode overview(ManagementClient client) throws IOException, InterruptedException {
        return client.get("/overview", "problems");
    }

    /** Shows the screen again and again until the process is ended or nobody reads the output. */
    private void watch(ManagementClient client) throws InterruptedException {
        if (gateway.terminal().isInteractive() && !gateway.isJson()) {
            gateway.out().print(HOME + ERASE_BELOW);
        }
        while (true) {
            show(screen(client));
            Thread.sleep(INTERVAL.toMillis());
        }
    }

    /** The screen, or a note if the gateway doesn't answer: it may be restarting, so it is waited for. */
    private String screen(ManagementClient client) throws InterruptedException {
        StringWriter screen = new StringWriter();
        try {
            JsonNode overview = overview(client);
            if (gateway.isJson()) {
                screen.append(Printable.json(overview.toString()));
            } else {
                print(overview, new PrintWriter(screen, true));
            }
        } catch (IOException e) {
            String away = String.valueOf(e.getMessage());
            if (gateway.isJson()) {
                // A program that reads JSON must get nothing else.
                gateway.progress().say(away);
            } else {
                screen.append(gateway.terminal().paint(Style.BAD, away)).append(System.lineSeparator());
            }
        }
        return screen.toString();
    }

    private void show(String screen) {
        if (gateway.terminal().isInteractive() && !gateway.isJson()) {
            gateway.out().print(HOME + screen.replace("\n", ERASE_TO_END_OF_LINE + "\n") + ERASE_BELOW);
        } else if (!gateway.isJson() || !screen.isEmpty()) {
            gateway.out().println(screen);
        }
        OutputGoneException.check(gateway.out());
    }

    private void print(JsonNode overview, PrintWriter out) {
        Terminal terminal = gateway.terminal();
        // The cursor is on the line below.
        int rows = watch && terminal.isInteractive() ? terminal.rows() - 1 : Terminal.UNLIMITED;
        new StatusScreen(out, terminal, rows).print(overview);
        String repeated = gateway.next("");
        if (!watch && !repeated.isEmpty() && !overview.get("problems").isEmpty()) {
            gateway.progress().say("the commands that it names ask another gateway without" + repeated);
        }
    }
}
