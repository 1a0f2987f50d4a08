package dev.holdfast.management;

import dev.holdfast.push.PushFilter;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client that watches pushes: server-sent events on a response that stays open. What it can't take in time is left
 * out and counted, so that it never holds up the journal; what waits for it is bounded, and so is the rate. The client
 * is told how many pushes it missed.
 */
final class TapReader {
    private static final int MOST_WAITING = 1_000;
    /** Bytes of bodies that may wait; a single push may have more. */
    private static final int MOST_BYTES = 1 << 20;
    /** A longer body stays out of the stream: the journal has it. */
    private static final int LARGEST_BODY = 256 << 10;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** Shorter than what proxies wait for a sign of life. */
    private static final long QUIET = TimeUnit.SECONDS.toNanos(15);

    /**
     * What a reader asks for.
     *
     * @param bodies whether they come along
     * @param rate pushes a second at most
     */
    record Choice(PushFilter filter, boolean bodies, int rate) {}

    private final Choice choice;
    private final HttpServerResponse response;
    private final Context context;

    /** This queue guards itself and all fields up to the next comment. */
    private final Queue<PushRecord> waiting = new ArrayDeque<>();

    private long bytesWaiting;
    private long dropped;
    private long second;
    private int inSecond;

    // Used on the context alone.
    private long lastWrite = System.nanoTime();

    /** @param context the response's */
    TapReader(Choice choice, HttpServerResponse response, Context context) {
        this.choice = choice;
        this.response = response;
        this.context = context;
    }

    /** Takes a push, or counts it. Any thread, one at a time. */
    void offer(PushRecord push, long now) {
        if (!choice.filter().matches(push)) {
            return;
        }
        boolean wake;
        synchronized (waiting) {
            if (!isWithinRate(now) || !hasRoom(push)) {
                dropped++;
                return;
            }
            // Whoever is to write those that wait writes this one too.
            wake = waiting.isEmpty();
            waiting.add(push);
            bytesWaiting += push.body().length;
        }
        if (wake) {
            context.runOnContext(v -> write());
        }
    }

    private boolean isWithinRate(long now) {
        if (inSecond == 0 || now - second >= SECOND) {
            second = now;
            inSecond = 0;
        }
        return ++inSecond <= choice.rate();
    }

    private boolean hasRoom(PushRecord push) {
        return waiting.isEmpty() || (waiting.size() < MOST_WAITING && bytesWaiting + push.body().length <= MOST_BYTES);
    }

    /** Writes what waits for as long as the connection takes it. */
    private void write() {
        while (!response.ended() && !response.writeQueueFull()) {
            PushRecord push = next();
            if (push == null) {
                return;
            }
            event("push", push.seq(), shown(push));
        }
        if (!response.ended()) {
            response.drainHandler(v -> write());
        }
    }

    private @Nullable PushRecord next() {
        synchronized (waiting) {
            PushRecord push = waiting.poll();
            bytesWaiting -= push == null ? 0 : push.body().length;
            return push;
        }
    }

    private JsonObject shown(PushRecord push) {
        JsonObject shown = ApiJson.of(push);
        boolean whole = choice.bodies() && push.body().length <= LARGEST_BODY;
        return whole ? shown.put("body", ApiJson.base64(push.body())) : shown;
    }

    /** Once a second: says what was left out, or that nothing has happened for a while. */
    void tick() {
        if (response.ended() || response.writeQueueFull()) {
            return;
        }
        sayDropped();
        if (System.nanoTime() - lastWrite > QUIET) {
            comment();
        }
    }

    /** Writes what waits, as far as that goes without waiting, and ends the stream. */
    void end() {
        write();
        if (!response.ended()) {
            synchronized (waiting) {
                dropped += waiting.size();
                waiting.clear();
            }
            sayDropped();
            response.end();
        }
    }

    private void sayDropped() {
        long count;
        synchronized (waiting) {
            count = dropped;
            dropped = 0;
        }
        if (count > 0) {
            event("dropped", null, new JsonObject().put("count", count));
        }
    }

    private void event(String name, @Nullable Long id, JsonObject data) {
        // A JSON text has no line end in it.
        put("event: " + name + "\n" + (id == null ? "" : "id: " + id + "\n") + "data: " + data.encode() + "\n\n");
    }

    /** Says that the stream is open. */
    void comment() {
        put(":\n\n");
    }

    private void put(String text) {
        lastWrite = System.nanoTime();
        // A failed write ends the response, and the route is told of that.
        response.write(Buffer.buffer(text));
    }
}
