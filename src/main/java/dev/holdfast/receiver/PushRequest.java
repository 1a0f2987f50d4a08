package dev.holdfast.receiver;

import dev.holdfast.journal.Journal;
import dev.holdfast.journal.JournalException;
import dev.holdfast.push.EnvelopeReader;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import dev.holdfast.push.Unreadable;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request at an endpoint, from its head to its answer. Lives on its event loop; only {@link Journal.Outcome} comes from
 * the journal's thread, and goes straight back to the loop.
 */
final class PushRequest implements Journal.Outcome, Deadlines.Timed {
    /** A body up to here is read on while too much is in flight: ending it is what makes room. */
    private static final int ALWAYS_READ = 16 * 1024;

    private final HttpServerRequest request;
    private final Endpoint endpoint;
    private final Loop loop;
    private final InFlight inFlight;
    private final long declared;
    private @Nullable Unreadable unreadable;
    private InFlight.@Nullable Place place;
    private StorageWaits.@Nullable Wait wait;
    private long held;
    /** The journal still has it, and with it its memory, be the request over or not. */
    private boolean atJournal;

    private boolean over;

    PushRequest(HttpServerRequest request, Endpoint endpoint, Loop loop) {
        this.request = request;
        this.endpoint = endpoint;
        this.loop = loop;
        this.inFlight = loop.receiver().inFlight();
        this.declared = declaredLength(request);
    }

    void start() {
        loop.deadlines().requestStarted(request.connection());
        request.exceptionHandler(this::broken);
        if (declared > loop.receiver().config().maxBody()) {
            refuse(Refusal.TOO_LARGE);
        } else if (inFlight.full()) {
            request.pause();
            place = inFlight.awaitRoom(loop.context(), this::read);
            awaitDisk(Refusal.NO_ROOM);
        } else {
            read();
        }
    }

    private static long declaredLength(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length == null ? -1 : Long.parseLong(length);
    }

    private void read() {
        if (over) {
            return;
        }
        diskAwaited();
        Body body = new Body(declared, loop.receiver().config().maxBody());
        request.handler(chunk -> take(chunk, body)).endHandler(v -> complete(body));
        if (RequestCheck.awaitsContinue(request)) {
            request.response().writeContinue();
        }
        loop.deadlines().bodyStarted(this);
        request.resume();
    }

    private void take(Buffer chunk, Body body) {
        if (over) {
            return;
        }
        int before = body.capacity();
        try {
            if (!body.append(chunk)) {
                refuse(Refusal.TOO_LARGE);
                return;
            }
        } catch (OutOfMemoryError e) {
            outOfMemory(e);
            return;
        }
        hold(body.capacity() - before);
        if (body.length() > ALWAYS_READ && !inFlight.readsOn(this)) {
            request.pause();
            // The time it is made to wait is not the client's slowness.
            loop.deadlines().bodyEnded(this);
            place = inFlight.awaitTurn(loop.context(), this::readOn);
        }
    }

    private void readOn() {
        if (over) {
            return;
        }
        if (inFlight.readsOn(this)) {
            loop.deadlines().bodyStarted(this);
            request.resume();
        } else {
            place = inFlight.awaitTurn(loop.context(), this::readOn);
        }
    }

    private void complete(Body body) {
        if (over) {
            return;
        }
        loop.deadlines().bodyEnded(this);
        try {
            keep(body);
        } catch (OutOfMemoryError e) {
            outOfMemory(e);
        }
    }

    private void keep(Body body) {
        if (declared >= 0 && body.length() != declared) {
            // Not the sender's fault: HTTP has counted them. A part was lost on the way to here.
            refuse(Refusal.MEMORY);
            return;
        }
        byte[] bytes = body.bytes();
        List<String> signatures = request.headers().getAll(endpoint.signatureHeader());
        if (signatures.size() != 1 || !endpoint.secrets().matches(bytes, signatures.get(0))) {
            loop.receiver().complaints().refused(endpoint.name());
            refuse(Refusal.SIGNATURE);
            return;
        }
        PushRecord push = new PushRecord(
                PushRecord.UNSTORED,
                endpoint.name(),
                EnvelopeReader.read(bytes),
                loop.receiver().clock().millis(),
                head(signatures.get(0)),
                bytes);
        unreadable = push.envelope().unreadable();
        hold(InFlight.OVERHEAD);
        awaitDisk(Refusal.SYNC_TIMEOUT);
        atJournal = true;
        loop.receiver().journal().append(push, this);
    }

    private RequestHead head(String signature) {
        return new RequestHead(
                signature,
                Objects.requireNonNullElse(request.getHeader(HttpHeaders.CONTENT_TYPE), ""),
                String.join(", ", request.headers().getAll(HttpHeaders.CONTENT_ENCODING)),
                Objects.requireNonNullElse(request.query(), ""));
    }

    private void awaitDisk(Refusal otherwise) {
        wait = loop.storageWaits().begin(() -> refuse(otherwise));
    }

    private void diskAwaited() {
        if (wait != null) {
            loop.storageWaits().end(wait);
            wait = null;
        }
    }

    /** What was sent may be right, so it must not be refused as wrong. */
    private void outOfMemory(OutOfMemoryError cause) {
        loop.receiver().outOfMemory(cause);
        atJournal = false;
        if (!over) {
            refuse(Refusal.MEMORY);
        }
    }

    @Override
    public void stored(long seq, boolean duplicate) {
        loop.answers().add(duplicate ? () -> acceptDuplicate(seq) : () -> acceptNew(seq));
    }

    @Override
    public void failed(JournalException cause) {
        loop.answers().add(this::notStored);
    }

    private void notStored() {
        letGo();
        if (!over) {
            refuse(Refusal.STORAGE);
        }
    }

    private void acceptNew(long seq) {
        if (unreadable != null) {
            loop.receiver().complaints().unreadable(endpoint.name(), seq, unreadable);
            loop.receiver().meters().unreadable(unreadable);
        }
        accept();
    }

    private void acceptDuplicate(long seq) {
        letGo();
        if (over) {
            return;
        }
        loop.receiver().meters().duplicate();
        request.response().putHeader("Holdfast-Duplicate", Long.toString(seq));
        accept();
    }

    private void accept() {
        letGo();
        if (over) {
            loop.receiver().meters().storedLate();
            return;
        }
        end();
        loop.accept(request);
    }

    private void refuse(Refusal refusal) {
        end();
        loop.refuse(request, refusal);
    }

    @Override
    public void timeOut() {
        if (!over) {
            refuse(Refusal.SLOW_BODY);
        }
    }

    /** The connection ended, or stopped making sense, before the body was complete; after that it changes nothing. */
    private void broken(Throwable cause) {
        if (!over && !request.isEnded()) {
            loop.receiver().meters().incomplete();
            end();
            Loop.end(request);
        }
    }

    private void hold(int bytes) {
        held += bytes;
        inFlight.add(bytes);
    }

    /** The journal has the push no longer: its memory is free when the request is over as well. */
    private void letGo() {
        atJournal = false;
        if (over) {
            release();
        }
    }

    private void end() {
        over = true;
        diskAwaited();
        loop.deadlines().bodyEnded(this);
        loop.deadlines().requestEnded(request.connection());
        if (place != null) {
            inFlight.leave(place);
            place = null;
        }
        if (!atJournal) {
            release();
        }
    }

    private void release() {
        inFlight.release(this, held);
        held = 0;
    }
}
