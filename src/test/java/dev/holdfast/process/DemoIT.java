package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code demo}: a newcomer's first minute. */
@Timeout(900)
final class DemoIT {
    private static final Pattern WAY = Pattern.compile(
            "[\\d:]{8} +(\\d+)  (\\S+) +handled by (conversations|clients|crm) +\\d+ ms  (\\d+)/(\\d+)");

    /** Of a terminal, in characters. */
    private static final int WIDTH = 80;

    @TempDir
    Path directory;

    private Installation installation;

    @BeforeEach
    void install() throws IOException {
        installation = new Installation(directory);
        // Where one writes numbers in other digits.
        installation.option("-Duser.language=fa");
    }

    @AfterEach
    void remove() {
        installation.close();
    }

    private static List<Matcher> ways(Child demo) {
        return demo.out().lines().stream()
                .map(WAY::matcher)
                .filter(Matcher::matches)
                .toList();
    }

    private List<Path> leftBehind() throws IOException {
        try (Stream<Path> files = Files.list(installation.path("tmp"))) {
            return files.toList();
        }
    }

    @Test
    void itShowsEachPushOfAllTopicsOnItsWayAndEndsWith0() throws Exception {
        Child demo = installation.start("demo", "--count", "16", "--rate", "20");

        assertThat(demo.awaitExit()).isZero();
        assertThat(ways(demo))
                .extracting(way -> way.group(2))
                .contains(allTopics().toArray(String[]::new));
        assertThat(ways(demo)).extracting(way -> way.group(4)).doesNotHaveDuplicates();
        assertThat(demo.out().text()).contains("handled by conversations", "handled by clients", "handled by crm");
        assertThat(demo.out().lines())
                .last()
                .isEqualTo("Drained and stopped: 16 pushes accepted, " + handled(16, demo));
        assertThat(demo.out().lines()).first().asString().matches("The console +http://127\\.0\\.0\\.1:\\d+/");
        assertThat(demo.out().lines())
                .anySatisfy(line -> assertThat(line).matches("Pushes .+127\\.0\\.0\\.1:\\d+/webhook"));
        assertThat(demo.out().lines()).anySatisfy(line -> assertThat(line).contains("refused with 401"));
        // A path is as long as it is.
        assertThat(demo.out().lines())
                .filteredOn(line -> !line.startsWith("The configuration") && !line.startsWith("In another terminal"))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(WIDTH));
        assertThat(demo.err().lines()).isEmpty();
        assertThat(leftBehind()).isEmpty();
    }

    /** How many of so many pushes the last line has to call handled: the CRM may have refused one for good. */
    private static String handled(int pushes, Child demo) {
        long dead = demo.out().lines().stream()
                .filter(line -> line.endsWith("a dead letter"))
                .count();
        assertThat(ways(demo)).hasSize((int) (pushes - dead));
        return (pushes - dead) + " handled" + (dead == 0 ? "." : ", " + dead + " dead letter.");
    }

    private static Stream<String> allTopics() {
        return Stream.of(
                "conversation.created",
                "conversation.scheduled",
                "conversation.updated",
                "conversation.closed",
                "client.created",
                "client.updated",
                "client.deleted",
                "visitor.updated");
    }

    @Test
    void twoAtOnceDoNotContendForAPort() throws Exception {
        List<Child> demos = List.of(
                installation.start("demo", "--count", "1", "--rate", "20"),
                installation.start("demo", "--count", "1", "--rate", "20"));

        for (Child demo : demos) {
            assertThat(demo.awaitExit()).as("exit, of %s", demo.err().lines()).isZero();
        }
    }

    @Test
    void ctrlCDrainsItAndLeavesNothingBehind() throws Exception {
        Child demo = installation.start("demo", "--rate", "50");
        demo.out().await(Pattern.compile(" ms  \\d\\d/\\d+"), Duration.ofSeconds(60));
        assertThat(leftBehind()).asString().contains("holdfast-demo-");

        demo.signal("INT");
        assertThat(demo.awaitExit()).isZero();
        assertThat(demo.out().lines())
                .last()
                .asString()
                .matches("Drained and stopped: \\d+ pushes accepted, \\d+ handled(, \\d+ dead letters?)?\\.");
        assertThat(leftBehind()).isEmpty();
    }

    @Test
    void itEndsWhenNobodyReadsItAnyMoreAndLeavesNothingBehind() throws Exception {
        List<String> head = List.of("bash", "-c", "\"$@\" | head -1; exit ${PIPESTATUS[0]}", "-");

        Child demo = installation.startUnder(head, "demo", "--rate", "50");

        assertThat(demo.awaitExit()).isEqualTo(141);
        assertThat(demo.out().lines()).hasSize(1);
        assertThat(demo.err().lines()).isEmpty();
        assertThat(leftBehind()).isEmpty();
    }
}
