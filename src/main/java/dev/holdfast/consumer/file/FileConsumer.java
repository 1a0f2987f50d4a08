package dev.holdfast.consumer.file;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.PushConsumer;
import dev.holdfast.consumer.format.CloudEvents;
import dev.holdfast.consumer.format.PushLine;
import dev.holdfast.disk.OwnerOnly;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.shareddata.Lock;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes pushes to files, a line of JSON each (NDJSON). A push counts as handled once it is synced to disk; one sync
 * serves all runs of pushes that wait for one. After a crash a push may be there twice. Short name {@code file}.
 */
public final class FileConsumer extends PushConsumer {
    private static final long LOOK_AT_AGE_MILLIS = 60_000;
    private static final long LOCK_TIMEOUT_MILLIS = Duration.ofDays(1).toMillis();

    private PushFiles files;
    /** Writes a push as bytes with one newline, at their end. */
    private Function<Push, byte[]> line;

    private Lock writing;
    private @Nullable Promise<Void> committing;

    @SuppressWarnings("NullAway.Init") // all are made in start(), which comes before everything else
    public FileConsumer() {}

    /**
     * Checks the options of a consumer that is not started.
     *
     * @throws IllegalArgumentException on a mistake, without showing a value
     */
    public static void check(ConsumerConfig config) {
        FileOptions.read(config.name(), config.options());
    }

    /** The files have one writer: a consumer that this one replaces may still be writing, and has to end first. */
    @Override
    public Future<?> start() throws IOException {
        FileOptions options = FileOptions.read(name(), config().getMap());
        line = options.cloudEvents() ? CloudEvents::line : PushLine::of;
        OwnerOnly.makeDirectories(options.directory());
        // However the configuration writes it, it is the same directory.
        String writer = options.directory().toRealPath().resolve(name()).toString();
        return vertx.sharedData()
                .getLocalLockWithTimeout(writer, LOCK_TIMEOUT_MILLIS)
                .compose(lock -> begin(options, lock));
    }

    private Future<?> begin(FileOptions options, Lock lock) {
        writing = lock;
        try {
            files = PushFiles.open(name(), options, InstantSource.system());
            long period = Math.min(options.rotateAge().toMillis(), LOOK_AT_AGE_MILLIS);
            vertx.setPeriodic(period, timer -> endOfAge());
            return super.start();
        } catch (Throwable e) {
            // Also where memory runs out: whoever is started next would wait for the lock.
            lock.release();
            return Future.failedFuture(e);
        }
    }

    @Override
    public Future<?> stop() throws Exception {
        try {
            files.close();
        } finally {
            writing.release();
        }
        return super.stop();
    }

    /** Fails when the disk does. Then everything since the last sync comes again, also other lanes' pushes. */
    @Override
    protected Future<?> handle(Push push) {
        try {
            files.append(line.apply(push));
            return Future.succeededFuture();
        } catch (IOException e) {
            commit();
            return Future.failedFuture(e);
        }
    }

    /** Syncs after the tasks that wait for this thread already, so that lanes share the sync. */
    @Override
    protected Future<?> commit() {
        Promise<Void> present = committing;
        if (present != null) {
            return present.future();
        }
        Promise<Void> waiting = Promise.promise();
        committing = waiting;
        context.runOnContext(v -> sync(waiting));
        return waiting.future();
    }

    private void sync(Promise<Void> waiting) {
        committing = null;
        try {
            files.sync();
            waiting.complete();
        } catch (IOException e) {
            waiting.fail(e);
        }
    }

    /** Ends the file when it is old enough, even if no push follows. */
    private void endOfAge() {
        try {
            files.endOfAge();
        } catch (IOException e) {
            commit();
        }
    }
}
