package dev.holdfast.process;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The attacks of slowhttptest, the tool of the distribution's packages: one process, which holds as many connections as it may. */
enum SlowHttpTest implements FloodIT.Attack {
    /** Heads that don't end (slowloris). */
    SLOWHTTPTEST_SLOW_HEADERS("-H", "-t", "POST"),
    /** Bodies of the announced length that don't come (R-U-Dead-Yet). */
    SLOWHTTPTEST_SLOW_BODY("-B", "-s", "8192", "-f", "application/json"),
    /** Requests one after the other on each connection, whose answers are taken a few bytes at a time. */
    SLOWHTTPTEST_SLOW_READ("-X", "-k", "10", "-w", "1", "-y", "64", "-n", "1", "-z", "5");

    private static final int CONNECTIONS = Campaign.LONG ? 4000 : 500;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of, of strings
    private final List<String> mode;

    SlowHttpTest(String... mode) {
        this.mode = List.of(mode);
    }

    static boolean isInstalled() throws InterruptedException {
        try {
            new ProcessBuilder("slowhttptest", "-h")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public int attackers() {
        return 1;
    }

    @Override
    public void attack(URI webhook, Duration lasts) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("slowhttptest", "-u", webhook.toString()));
        command.addAll(mode);
        String connections = Integer.toString(CONNECTIONS);
        String seconds = Long.toString(lasts.toSeconds());
        command.addAll(List.of("-c", connections, "-r", connections, "-i", "1", "-l", seconds, "-v", "1"));
        try (Child tool = Child.start(Path.of("target"), Map.of(), command)) {
            int status = tool.awaitExit();
            if (status != 0) {
                throw new IOException("slowhttptest ended with " + status + ": " + tool.output());
            }
        }
    }
}
