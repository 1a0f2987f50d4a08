package dev.holdfast.cli;

import dev.holdfast.simulator.Faults;
import dev.holdfast.simulator.Pace;
import dev.holdfast.simulator.Platform;
import dev.holdfast.simulator.PushSource;
import dev.holdfast.simulator.Rehearsal;
import dev.holdfast.simulator.Script;
import dev.holdfast.simulator.Summary;
import dev.holdfast.simulator.Wire;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One run of the simulated platform in the foreground, with its progress and its end by Ctrl-C. */
final class Simulation {
    private static final long PROGRESS_MILLIS = 1000;
    /** How long Ctrl-C waits for the answers to what is under way. */
    private static final long GRACE_MILLIS = 1000;

    private final PushSource source;
    private final Wire wire;
    private final Pace pace;
    private final Faults faults;

    Simulation(PushSource source, Wire wire, Pace pace, Faults faults) {
        this.source = source;
        this.wire = wire;
        this.pace = pace;
        this.faults = faults;
    }

    /**
     * Plays until the end or Ctrl-C, hands the summary to {@code print} once, and returns it.
     *
     * @throws IllegalStateException when the simulator itself failed, after the summary
     *
     * @param progress gets a line each second; null: none
     */
    Summary play(@Nullable PrintWriter progress, Consumer<Summary> print) throws InterruptedException {
        Vertx vertx = Vertx.vertx(new VertxOptions()
                .setFileSystemOptions(new FileSystemOptions().setClassPathResolvingEnabled(false))
                .setEventLoopPoolSize(1)
                .setPreferNativeTransport(true));
        Platform platform = new Platform(vertx, source, wire, pace, faults, (push, answer) -> {});
        CountDownLatch finished = new CountDownLatch(1);
        AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
        AtomicBoolean printed = new AtomicBoolean();
        Thread hook = new Thread(() -> interrupt(platform, finished, printed, print), "holdfast-interrupted");
        Runtime.getRuntime().addShutdownHook(hook);
        Rehearsal.play(vertx, Script.standard())
                .compose(rehearsed -> platform.run())
                .onComplete((summary, failure) -> {
                    failed.set(failure);
                    finished.countDown();
                });
        while (!finished.await(PROGRESS_MILLIS, TimeUnit.MILLISECONDS)) {
            if (progress != null) {
                progress.println(SimulationReport.progress(platform.soFar()));
                progress.flush();
            }
        }
        Summary summary = platform.soFar();
        printOnce(summary, printed, print);
        forget(hook);
        vertx.close().await();
        Throwable cause = failed.get();
        if (cause != null) {
            throw new IllegalStateException("the simulator failed: " + cause, cause);
        }
        return summary;
    }

    private static void interrupt(
            Platform platform, CountDownLatch finished, AtomicBoolean printed, Consumer<Summary> print) {
        platform.stop();
        try {
            boolean inTime = finished.await(GRACE_MILLIS, TimeUnit.MILLISECONDS);
            printOnce(platform.soFar(), printed, print);
            if (!inTime) {
                finished.countDown();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whoever comes second waits until the first has printed: the process may end right after. */
    private static void printOnce(Summary summary, AtomicBoolean printed, Consumer<Summary> print) {
        synchronized (printed) {
            if (printed.compareAndSet(false, true)) {
                print.accept(summary);
            }
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the process is ending already, and the hook runs
        }
    }
}
