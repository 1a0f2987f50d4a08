package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.logging.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code status}: how a running gateway is doing, on one screen. */
@Command(
        name = "status",
        description = {
            "Shows how a running gateway is doing, on one screen, what is wrong first.",
            "Exit status 0 when it is ready and nothing is critical, else 1."
        })
final class StatusCommand extends GatewayCommand {
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    /** What is seen is told to be old after that. */
    private static final Duration STALE = Duration.ofSeconds(5);

    private static final String HOME = "\u001b[H";
    private static final String ERASE_TO_END_OF_LINE = "\u001b[K";
    private static final String ERASE_BELOW = "\u001b[J";

    @Option(names = "--watch", description = "Keeps it live until Ctrl-C.")
    private boolean watch;

    StatusCommand(CliEnvironment cli) {
        super(cli);
    }

    @Override
    ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        return client.get("/overview", "problems");
    }

    @Override
    int run(ManagementClient client) throws IOException, InterruptedException {
        if (!watch) {
            return super.run(client);
        }
        if (terminal().isInteractive()) {
            out().print(HOME + ERASE_BELOW);
        }
        while (true) {
            show(screen(client.within(STALE)));
            Thread.sleep(INTERVAL.toMillis());
        }
    }

    /** A gateway that is being restarted is waited for. */
    private String screen(ManagementClient client) throws InterruptedException {
        StringWriter screen = new StringWriter();
        try {
            ManagementClient.Answer answer = ask(client);
            String problem = answer.problem();
            if (problem != null) {
                throw new IOException(problem);
            }
            if (isJson()) {
                screen.append(Printable.json(answer.json().toString()));
            } else {
                print(answer.json(), new PrintWriter(screen, true));
            }
        } catch (IOException e) {
            String away = String.valueOf(e.getMessage());
            if (isJson()) {
                // What reads the results reads JSON and nothing else.
                progress().say(away);
            } else {
                screen.append(terminal().paint(Style.BAD, away)).append(System.lineSeparator());
            }
        }
        return screen.toString();
    }

    private void show(String screen) {
        if (terminal().isInteractive() && !isJson()) {
            out().print(HOME + screen.replace("\n", ERASE_TO_END_OF_LINE + "\n") + ERASE_BELOW);
        } else if (!isJson() || !screen.isEmpty()) {
            out().println(screen);
        }
        OutputGoneException.check(out());
    }

    @Override
    void print(JsonNode overview, PrintWriter out) {
        Terminal terminal = terminal();
        // The cursor stands on the line below.
        int rows = watch && terminal.isInteractive() ? terminal.rows() - 1 : Terminal.UNLIMITED;
        new StatusScreen(out, terminal, rows).print(overview);
        String repeated = next("");
        if (!watch && !repeated.isEmpty() && !overview.path("problems").isEmpty()) {
            progress().say("the commands that it names ask another gateway without" + repeated);
        }
    }

    @Override
    int status(JsonNode overview) {
        boolean critical = !overview.path("ready").asBoolean();
        for (JsonNode problem : overview.path("problems")) {
            critical |= StatusScreen.isCritical(problem);
        }
        return critical ? ExitStatus.FAILED : ExitStatus.DONE;
    }
}
