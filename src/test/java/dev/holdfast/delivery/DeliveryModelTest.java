package dev.holdfast.delivery;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Random consumers, lanes, failures, time-outs, stops, crashes, retries and replays against a model, with limits so small
 * that lanes overflow all the time. More plays: {@code -Djqwik.tries.default=500}. A seed makes the same plan again; how
 * the threads run differs from play to play.
 *
 * <p>A play mostly waits, for time-outs, back-offs and disks: so some are under way at a time, each with a process's life of
 * its own. The sample that jqwik shows is not the plan that failed then; that is part of the message.
 */
class DeliveryModelTest {
    /** So little waits on the way from the journal that some find no room there. */
    private static final Limits SMALL = new Limits(32, 1024, 16, 8, 4, 8, 4, 16, 10, 5_000);

    private static final int AT_A_TIME = 4;

    /** A plan that is being played. */
    private record Running(Plan plan, Future<?> play) {}

    private final ExecutorService players = Executors.newFixedThreadPool(AT_A_TIME);
    private final Queue<Running> running = new ArrayDeque<>();

    /** The first calls load what is called. On a busy machine that outlasted the plays' time-outs. */
    @BeforeContainer
    static void rehearse() throws IOException {
        play(Plans.rehearsal());
    }

    @Provide
    Arbitrary<Plan> plans() {
        return Plans.any();
    }

    @Property(shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
    void everyPushArrivesInOrderInItsLane(@ForAll("plans") Plan plan) throws Exception {
        running.add(new Running(plan, players.submit(() -> play(plan))));
        if (running.size() == AT_A_TIME) {
            judge(running.remove());
        }
    }

    @AfterProperty
    void theLastPlaysToo() throws Exception {
        try {
            while (!running.isEmpty()) {
                judge(running.remove());
            }
        } finally {
            players.shutdownNow();
        }
    }

    private static void judge(Running done) throws Exception {
        try {
            done.play().get();
        } catch (ExecutionException e) {
            // What went wrong comes last, too: a long plan's beginning may be lost.
            throw new AssertionError("not the sample, but: " + done.plan() + e.getCause(), e.getCause());
        }
    }

    private static Void play(Plan plan) throws IOException {
        Path directory = Files.createTempDirectory("model");
        try {
            new Play(plan, SMALL, directory).run(plan.steps());
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
        return null;
    }
}
