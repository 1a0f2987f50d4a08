package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

/**
 * One campaign: the same trial again and again, and a row of what came of it in {@code target/campaign/report.md}. A class with a
 * campaign has the tags {@code campaign} and the campaign's name. {@code mvn verify} runs its short form; {@code mvn -Pcampaign verify
 * -Dcampaign=NAME} the long one, with {@code -Dtrials=N} and {@code -Dseed=N} when they are to be other ones; {@code -Dfirst=N} begins
 * with the Nth trial.
 */
final class Campaign {
    private static final Path REPORT = Path.of("target", "campaign", "report.md");
    private static final String HEAD = """
        | campaign | trials | pushes sent | answered 200 | lost | seed | worst recovery | verdict | commit | date |
        |---|---|---|---|---|---|---|---|---|---|
        """;

    /** Whether this is the long form. */
    static final boolean LONG = Boolean.getBoolean("holdfast.campaign");

    private static final int TRIALS = Integer.getInteger("holdfast.trials", 0);
    private static final int FIRST = Integer.getInteger("holdfast.first", 1);
    private static final long SEED =
            Long.getLong("holdfast.seed", ThreadLocalRandom.current().nextInt(1_000_000));

    /** One attempt to break a gateway. */
    interface Trial {
        /**
         * Makes it.
         *
         * @param number 1 for the first
         * @param random the same for the same seed and number
         */
        Findings run(int number, SplittableRandom random) throws Exception;
    }

    /**
     * What came of one trial.
     *
     * @param complaints everything that contradicts the promises
     * @param recoveries how long it took each time until pushes were accepted again
     * @param note more that is worth telling; may be empty
     */
    record Findings(List<String> complaints, List<SentPush> sent, List<Duration> recoveries, String note) {}

    private final String name;
    private final int trials;
    private int done;
    private long sent;
    private long acknowledged;
    private long lost;
    private Duration worst = Duration.ZERO;

    private Campaign(String name, int trials) {
        this.name = name;
        this.trials = trials;
    }

    /** @param longTrials how many it takes to be sure; {@code shortTrials} are to find what breaks at once */
    static Campaign of(String name, int shortTrials, int longTrials) {
        return new Campaign(name, TRIALS > 0 ? TRIALS : LONG ? longTrials : shortTrials);
    }

    /** Runs all trials, or as many as it takes to find something wrong, and fails then. */
    void run(Trial trial) throws Exception {
        System.out.printf(Locale.ROOT, "%s: %d trials, seed %d%n", name, trials, SEED);
        String verdict = "";
        try {
            List<String> complaints = List.of();
            while (done < trials && complaints.isEmpty()) {
                verdict = "trial " + (FIRST + done) + " did not end";
                complaints = take(trial.run(FIRST + done, new SplittableRandom(SEED + FIRST + done)));
            }
            verdict = complaints.isEmpty() ? "held" : "trial " + (FIRST + done - 1) + ": " + complaints.get(0);
            assertThat(complaints)
                    .as("%s, trial %d of %d, seed %d", name, FIRST + done - 1, trials, SEED)
                    .isEmpty();
        } finally {
            report(verdict);
        }
    }

    private List<String> take(Findings findings) {
        done++;
        sent += findings.sent().size();
        acknowledged += findings.sent().stream().filter(SentPush::acknowledged).count();
        lost += findings.complaints().stream()
                .filter(complaint -> complaint.startsWith("answered 200"))
                .count();
        for (Duration recovery : findings.recoveries()) {
            worst = recovery.compareTo(worst) > 0 ? recovery : worst;
        }
        if (!findings.note().isEmpty()) {
            System.out.printf(Locale.ROOT, "%s, trial %d: %s%n", name, FIRST + done - 1, findings.note());
        }
        return findings.complaints();
    }

    private void report(String verdict) throws IOException {
        List<String> cells = new ArrayList<>(List.of(name));
        cells.addAll(List.of(
                done + " of " + trials,
                Long.toString(sent),
                Long.toString(acknowledged),
                Long.toString(lost),
                Long.toString(SEED),
                worst.toMillis() + " ms",
                verdict.replace('|', '/').replace('\n', ' '),
                commit(),
                LocalDate.now(ZoneOffset.UTC).toString()));
        String row = "| " + String.join(" | ", cells) + " |\n";
        System.out.print(row);
        write(row);
    }

    /** Classes of other processes write there as well. */
    private static synchronized void write(String row) throws IOException {
        Files.createDirectories(REPORT.getParent());
        if (!Files.exists(REPORT)) {
            Files.writeString(REPORT, HEAD, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        }
        Files.writeString(REPORT, row, StandardOpenOption.APPEND);
    }

    private static String commit() {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty")
                    .redirectErrorStream(true)
                    .start();
            String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor() == 0 ? output : "unknown";
        } catch (IOException e) {
            return "unknown";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }
}
