package dev.holdfast.process;

import dev.holdfast.journal.Journal;
import dev.holdfast.journal.JournalException;
import dev.holdfast.journal.LogWithoutStore;
import dev.holdfast.push.EnvelopeReader;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Path;

/**
 * A receiver with a planted bug: it answers 200 first and stores a moment later. A program of its own, so that it can be
 * killed; its argument is the journal's directory.
 */
final class HastyServer {
    private static final long MOMENT_MILLIS = 50;
    private static final Journal.Outcome NOBODY_WAITS = new Journal.Outcome() {
        @Override
        public void stored(long seq, boolean duplicate) {}

        @Override
        public void failed(JournalException cause) {}
    };

    private final Vertx vertx;
    private final Journal journal;

    private HastyServer(Vertx vertx, Journal journal) {
        this.vertx = vertx;
        this.journal = journal;
    }

    @SuppressWarnings("resource") // lives until it is killed
    public static void main(String[] args) {
        Vertx vertx = Vertx.vertx();
        Journal journal = LogWithoutStore.open(Path.of(args[0]));
        HastyServer hasty = new HastyServer(vertx, journal);
        HttpServer server = vertx.createHttpServer()
                .requestHandler(hasty::answer)
                .listen(0, "127.0.0.1")
                .await();
        // As a gateway says it, so that the same harness understands it.
        System.err.println("accepting pushes on 127.0.0.1:" + server.actualPort()
                + ", management on 127.0.0.1:0, 0 pushes up to " + journal.lastSeq() + " in the journal");
    }

    private void answer(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            request.response().end();
            byte[] bytes = body.getBytes();
            PushRecord push = new PushRecord(
                    PushRecord.UNSTORED,
                    "default",
                    EnvelopeReader.read(bytes),
                    System.currentTimeMillis(),
                    new RequestHead("", "application/json", "", ""),
                    bytes);
            vertx.setTimer(MOMENT_MILLIS, timer -> journal.append(push, NOBODY_WAITS));
        });
    }
}
