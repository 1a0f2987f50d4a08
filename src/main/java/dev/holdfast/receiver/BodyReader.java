package dev.holdfast.receiver;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads one request's body: when there is room for it, and in the time that it may take. Lives on its event loop.
 *
 * <p>A signed body is read when what is {@link InFlight in flight} permits it. One of more than {@link
 * Unverified#SMALL_BODY} bytes, or without a signature, counts in an {@link Unverified} room until it is complete.
 */
final class BodyReader implements Room.Occupant, Deadlines.Timed, Peer.Incoming {
    /** Who hears how it ended, once. */
    interface Recipient {
        /** The body is there, and takes no room any more. */
        void complete(Body body);

        void refuse(Refusal refusal);
    }

    private final HttpServerRequest request;
    private final LoopState loop;
    private final Peer peer;
    private final Unverified unverified;
    private final Recipient recipient;
    private final long declared;
    private final Body body;
    private final BodyProgress progress;
    /** What the body has taken. */
    private Room.@Nullable Claim claim;
    /** What it waits for. */
    private Room.@Nullable Claim wanted;

    /** In the line of those who wait for what is in flight. */
    private InFlight.@Nullable Place place;

    private boolean signed;
    private boolean begun;
    private boolean over;

    BodyReader(HttpServerRequest request, LoopState loop, Peer peer, Recipient recipient) {
        this.request = request;
        this.loop = loop;
        this.peer = peer;
        this.unverified = loop.receiver().unverified();
        this.recipient = recipient;
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        this.declared = length == null ? -1 : Long.parseLong(length);
        this.body = new Body(declared, maxBody());
        this.progress = new BodyProgress(loop, this);
    }

    private long maxBody() {
        return loop.receiver().config().maxBody();
    }

    /** @param hasSignature whether the head bears something that can be one */
    void start(boolean hasSignature) {
        signed = hasSignature;
        peer.incoming(this);
        if (declared > maxBody()) {
            recipient.refuse(Refusal.TOO_LARGE);
        } else if (!signed) {
            readUnsigned();
        } else if (declared > Unverified.SMALL_BODY) {
            awaitRoom(declared);
        } else {
            readInTurn();
        }
    }

    /** Ends it, whatever it was about. More than once does no harm. */
    void stop() {
        if (over) {
            return;
        }
        over = true;
        peer.incoming(null);
        loop.deadlines().bodyEnded(this);
        leavePlace();
        if (wanted != null) {
            wanted.release();
        }
        if (claim != null) {
            claim.release();
        }
    }

    private void readUnsigned() {
        long bytes = Math.max(declared, 0);
        claim = unverified.unsigned().tryTake(this, bytes);
        if (claim == null) {
            refuseUnread(bytes);
        } else {
            read();
        }
    }

    private void refuseUnread(long bytes) {
        if (unverified.unsigned().isFor(bytes)) {
            loop.receiver().crowded("unsigned", peer);
        }
        recipient.refuse(Refusal.SIGNATURE_UNREAD);
    }

    private void awaitRoom(long bytes) {
        request.pause();
        // As long as the body before it may take; by then it is third in line or worse, or nobody moves.
        Duration bodyTimeout = loop.receiver().config().bodyTimeout();
        Duration syncTimeout = loop.receiver().syncTimeout();
        loop.deadlines().bodyWaits(this, bodyTimeout.compareTo(syncTimeout) > 0 ? bodyTimeout : syncTimeout);
        wanted = unverified.large().await(this, bytes);
    }

    @Override
    public void admitted() {
        if (over) {
            return;
        }
        claim = wanted;
        wanted = null;
        if (begun) {
            readOn();
        } else {
            readInTurn();
        }
    }

    private void readInTurn() {
        if (loop.receiver().inFlight().full()) {
            request.pause();
            loop.deadlines().bodyWaits(this, loop.receiver().syncTimeout());
            place = loop.receiver().inFlight().await(loop.context(), this::read);
        } else {
            read();
        }
    }

    private void read() {
        if (over) {
            return;
        }
        begun = true;
        leavePlace();
        request.handler(this::take).endHandler(v -> complete());
        if (RequestCheck.awaitsContinue(request)) {
            request.response().writeContinue();
        }
        readOn();
    }

    private void leavePlace() {
        if (place != null) {
            loop.receiver().inFlight().leave(place);
            place = null;
        }
    }

    private void readOn() {
        loop.deadlines().bodyStarted(this);
        progress.begin(body.length(), claim);
        request.resume();
    }

    private void take(Buffer piece) {
        if (over) {
            return;
        }
        try {
            if (!body.append(piece)) {
                recipient.refuse(Refusal.TOO_LARGE);
                return;
            }
        } catch (OutOfMemoryError e) {
            outOfMemory(e);
            return;
        }
        if (body.length() != declared) {
            takeRoom();
            progress.note(body.length(), claim);
        }
    }

    /** For a body of which there is more to come. */
    private void takeRoom() {
        if (claim != null) {
            if (!signed && !claim.tryGrow(body.capacity())) {
                refuseUnread(body.capacity());
            }
        } else if (wanted == null && body.length() > Unverified.SMALL_BODY) {
            awaitRoom(maxBody());
        }
    }

    private void complete() {
        if (over) {
            return;
        }
        if (declared >= 0 && body.length() != declared) {
            // Not the sender's fault: HTTP has counted them. A part was lost on the way to here.
            recipient.refuse(Refusal.MEMORY);
            return;
        }
        stop();
        recipient.complete(body);
    }

    @Override
    public Peer peer() {
        return peer;
    }

    @Override
    public Context context() {
        return loop.context();
    }

    @Override
    public void evicted() {
        if (!over) {
            loop.receiver().crowded("signed", peer);
            // While it waits it is nobody's fault but the others'.
            recipient.refuse(wanted == null ? Refusal.EVICTED : Refusal.CROWDED);
        }
    }

    @Override
    public void timeOut() {
        if (over) {
            return;
        }
        if (peer.isCutOff()) {
            recipient.refuse(Refusal.INCOMPLETE);
        } else if (wanted != null) {
            evicted();
        } else {
            recipient.refuse(place != null ? Refusal.NO_ROOM : Refusal.SLOW_BODY);
        }
    }

    @Override
    public void malformed() {
        recipient.refuse(Refusal.MALFORMED);
    }

    @Override
    public void outOfMemory(OutOfMemoryError cause) {
        loop.receiver().outOfMemory(cause);
        recipient.refuse(Refusal.MEMORY);
    }
}
