package dev.holdfast.cli;

import dev.holdfast.simulator.Faults;
import dev.holdfast.simulator.Pace;
import dev.holdfast.simulator.Platform;
import dev.holdfast.simulator.PushSource;
import dev.holdfast.simulator.Rehearsal;
import dev.holdfast.simulator.Summary;
import dev.holdfast.simulator.Wire;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One run of the simulated platform in the foreground, with its progress and its end by Ctrl-C. */
record Simulation(PushSource source, Wire wire, Pace pace, Faults faults) {
    private static final long PROGRESS_MILLIS = 1000;

    /** How long Ctrl-C waits for the answers to what is under way. */
    private static final long GRACE_MILLIS = 1000;

    /** A Vert.x that needs no files, with one event loop. */
    static Vertx vertx() {
        return Vertx.vertx(new VertxOptions()
                .setFileSystemOptions(new FileSystemOptions().setClassPathResolvingEnabled(false))
                .setEventLoopPoolSize(1)
                .setPreferNativeTransport(true));
    }

    /**
     * Plays until the end or Ctrl-C, hands the summary to {@code print}, and returns it.
     *
     * @throws IllegalStateException when the simulator itself failed, after the summary
     *
     * @param progress gets a line each second; null: none
     */
    Summary play(@Nullable PrintWriter progress, Consumer<Summary> print) throws InterruptedException {
        Vertx vertx = vertx();
        Platform platform = new Platform(vertx, source, wire, pace, faults, (push, answer) -> {});
        CountDownLatch finished = new CountDownLatch(1);
        CountDownLatch printed = new CountDownLatch(1);
        AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> interrupt(platform, finished, printed), "holdfast-interrupted"));
        Summary summary;
        try {
            Rehearsal.play(vertx).compose(rehearsed -> platform.run()).onComplete((played, failure) -> {
                failed.set(failure);
                finished.countDown();
            });
            while (!finished.await(PROGRESS_MILLIS, TimeUnit.MILLISECONDS)) {
                if (progress != null) {
                    progress.println(SimulationReport.progress(platform.soFar()));
                    progress.flush();
                }
            }
            summary = platform.soFar();
            print.accept(summary);
        } finally {
            // Also if there is no progress: the end of the process waits for this.
            printed.countDown();
        }
        vertx.close().await();
        Throwable cause = failed.get();
        if (cause != null) {
            throw new IllegalStateException("the simulator failed: " + cause, cause);
        }
        return summary;
    }

    /** Called on Ctrl-C: waits for the summary, since the process ends right after. */
    private static void interrupt(Platform platform, CountDownLatch finished, CountDownLatch printed) {
        if (printed.getCount() == 0) {
            return;
        }
        platform.stop();
        try {
            if (!finished.await(GRACE_MILLIS, TimeUnit.MILLISECONDS)) {
                finished.countDown();
            }
            printed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
