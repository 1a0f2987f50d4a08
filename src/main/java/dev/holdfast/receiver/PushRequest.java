package dev.holdfast.receiver;

import dev.holdfast.journal.Journal;
import dev.holdfast.journal.JournalException;
import dev.holdfast.push.EnvelopeReader;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import dev.holdfast.push.Unreadable;
import dev.holdfast.quarantine.QuarantinedRequest.Cause;
import dev.holdfast.tracing.PushTrace;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request at an endpoint, from its head to its answer. Lives on its event loop; only {@link Journal.Outcome} comes from
 * the journal's thread, and goes straight back to the loop.
 */
final class PushRequest implements Journal.Outcome, BodyReader.Recipient {
    private final HttpServerRequest request;
    private final Endpoint endpoint;
    private final LoopState loop;
    private final Peer peer;
    private final BodyReader reader;
    private final ClaimedSignature signature;
    /** When the head was there, by {@link System#nanoTime}. */
    private final long begunAt = System.nanoTime();

    private @Nullable Unreadable unreadable;
    private long held;
    /** When the body was whole, by {@link System#nanoTime}. */
    private long completeAt;

    private long receivedAt;
    private PushTrace trace = PushTrace.NONE;
    /** The journal still has it, and with it its memory, be the request over or not. */
    private boolean atJournal;

    private boolean over;

    PushRequest(HttpServerRequest request, Endpoint endpoint, LoopState loop) {
        this.request = request;
        this.endpoint = endpoint;
        this.loop = loop;
        this.peer = loop.deadlines().peer(request.connection());
        this.reader = new BodyReader(request, loop, peer, this);
        this.signature = ClaimedSignature.of(request.headers().getAll(endpoint.signatureHeader()));
    }

    void start() {
        peer.pushBegins();
        try {
            request.exceptionHandler(this::broken);
            reader.start(signature.isWellFormed());
        } catch (RuntimeException | Error e) {
            notStored(loop.receiver().unexpected(e));
        }
    }

    @Override
    public void complete(Body body) {
        completeAt = System.nanoTime();
        try {
            keep(body);
        } catch (RuntimeException | Error e) {
            notStored(loop.receiver().unexpected(e));
        }
    }

    private void keep(Body body) {
        byte[] bytes = body.bytes();
        Cause mismatch = signature.mismatch(bytes, endpoint.secrets());
        if (mismatch != null) {
            loop.receiver().refusedSignatures.refused(request, endpoint, peer.address(), mismatch, bytes);
            refuse(Refusal.SIGNATURE);
            return;
        }
        receivedAt = loop.receiver().clock.millis();
        PushRecord push = new PushRecord(
                PushRecord.UNSTORED,
                endpoint.name(),
                EnvelopeReader.read(bytes),
                receivedAt,
                head(signature.value()),
                bytes);
        unreadable = push.envelope().unreadable();
        held = (long) bytes.length + InFlight.OVERHEAD;
        loop.receiver().inFlight.add(held);
        loop.deadlines().waits(this, loop.receiver().syncTimeout, Refusal.SYNC_TIMEOUT);
        trace = loop.receiver().tracer.received(endpoint.name(), push.envelope().event(), begunAt, this::joined);
        atJournal = true;
        loop.receiver().journal.append(push, this);
    }

    private RequestHead head(String signature) {
        return new RequestHead(
                signature,
                Objects.requireNonNullElse(request.getHeader(HttpHeaders.CONTENT_TYPE), ""),
                String.join(", ", request.headers().getAll(HttpHeaders.CONTENT_ENCODING)),
                Objects.requireNonNullElse(request.query(), ""));
    }

    private String joined(String name) {
        return String.join(",", request.headers().getAll(name));
    }

    @Override
    public Peer peer() {
        return peer;
    }

    /** Either the body takes too long, or the disk: one that hangs reports no failure, and the journal's writer waits for it. */
    @Override
    public void timeOut(Refusal late) {
        if (late == Refusal.SYNC_TIMEOUT) {
            loop.receiver().rejections.notStoredInTime();
        }
        refuse(peer.isCutOff() ? Refusal.INCOMPLETE : late);
    }

    @Override
    public void stored(long seq, boolean duplicate) {
        trace.stored(seq, duplicate);
        loop.replies().add(duplicate ? () -> acceptDuplicate(seq) : () -> acceptNew(seq));
    }

    @Override
    public void failed(JournalException cause) {
        trace.failed(cause);
        loop.receiver().shortage().happened(cause);
        loop.replies().add(() -> notStored(Refusal.STORAGE));
    }

    private void notStored(Refusal refusal) {
        if (letGo()) {
            refuse(refusal);
        }
    }

    private void acceptNew(long seq) {
        if (unreadable != null) {
            loop.receiver().rejections.unreadable(endpoint.name(), seq, unreadable);
            loop.receiver().meters.unreadable(unreadable);
        }
        if (letGo()) {
            accept();
        } else {
            loop.receiver().meters.storedLate();
        }
    }

    private void acceptDuplicate(long seq) {
        if (letGo()) {
            loop.receiver().meters.endpoint(endpoint.name()).duplicate();
            request.response().putHeader("Holdfast-Duplicate", Long.toString(seq));
            accept();
        }
    }

    private void accept() {
        end();
        loop.receiver().meters.endpoint(endpoint.name()).accepted(receivedAt);
        loop.accept(request);
        trace.answered("");
        loop.receiver().acknowledgements().record(System.nanoTime() - completeAt);
    }

    @Override
    public void refuse(Refusal refusal) {
        if (refusal == Refusal.SIGNATURE_UNREAD) {
            loop.receiver().refusedSignatures.unread(request, endpoint, signature);
        } else if (refusal == Refusal.CROWDED || refusal == Refusal.EVICTED) {
            loop.receiver().crowded("large bodies", peer);
        }
        end();
        loop.refuse(request, refusal);
        trace.answered(refusal.label());
    }

    /** The connection ended, or stopped making sense, before the body was complete; after that it changes nothing. */
    private void broken(Throwable cause) {
        if (!over && !request.isEnded()) {
            loop.receiver().refused(Refusal.INCOMPLETE, endpoint.path(), false);
            end();
            // What Vert.x has read of a paused request it would keep for good.
            request.resume();
            LoopState.end(request);
        }
    }

    /** The journal has done with the push: its memory is free once the request is over, too. True while that wants its answer. */
    private boolean letGo() {
        atJournal = false;
        if (over) {
            release();
        }
        return !over;
    }

    private void end() {
        over = true;
        loop.deadlines().ended(this);
        reader.stop();
        peer.pushEnds(loop.deadlines().counted());
        if (!atJournal) {
            release();
        }
    }

    private void release() {
        loop.receiver().inFlight.release(held);
        held = 0;
    }
}
