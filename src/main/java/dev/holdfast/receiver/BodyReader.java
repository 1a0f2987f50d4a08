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
 * <p>A small signed body is read when the pushes {@link InFlight in flight} permit it. One of more than {@value #SMALL_BODY} bytes takes
 * room among the {@link Receiver#large large} ones until it is complete, and one without a signature among the {@link
 * Receiver#unsigned unsigned} ones.
 */
final class BodyReader implements Room.Occupant, Peer.Incoming {
    /** Bytes: what a connection has memory for. */
    static final int SMALL_BODY = 16 * 1024;

    /** Whose body it is, and who hears how it ended, once. */
    interface Recipient extends Deadlines.Timed {
        /** The body is there, and takes no room any more. */
        void complete(Body body);

        void refuse(Refusal refusal);
    }

    private final HttpServerRequest request;
    private final LoopState loop;
    private final Peer peer;
    private final Recipient recipient;
    private final long declared;
    private final Body body;
    /** Of an unsigned body. */
    private Holdings.@Nullable Holding holding;
    /** Of a large one: what it has taken, or waits for. */
    private Room.@Nullable Claim claim;

    /** Among those who wait, or have waited, for what is in flight. */
    private InFlight.@Nullable Place place;

    /** How long the body was when it had last brought enough for its deadline, and for the room. */
    private int timedMark;

    private int roomMark;
    private boolean over;

    BodyReader(HttpServerRequest request, LoopState loop, Peer peer, Recipient recipient) {
        this.request = request;
        this.loop = loop;
        this.peer = peer;
        this.recipient = recipient;
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        this.declared = length == null ? -1 : Long.parseLong(length);
        this.body = new Body(declared, maxBody());
    }

    private long maxBody() {
        return loop.receiver().config.maxBody();
    }

    /** @param signed whether the head bears something that can be a signature */
    void start(boolean signed) {
        peer.incoming(this);
        if (declared > maxBody()) {
            recipient.refuse(Refusal.TOO_LARGE);
        } else if (!signed) {
            readUnsigned();
        } else if (declared > SMALL_BODY) {
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
        if (place != null) {
            loop.receiver().inFlight.leave(place);
        }
        if (holding != null) {
            holding.release();
        }
        if (claim != null) {
            claim.release();
        }
    }

    private void readUnsigned() {
        long bytes = Math.max(declared, 0);
        holding = loop.receiver().unsigned.tryTake(peer, bytes);
        if (holding == null) {
            refuseUnread(bytes);
        } else {
            read();
        }
    }

    private void refuseUnread(long bytes) {
        if (loop.receiver().unsigned.isFor(bytes)) {
            loop.receiver().crowded("unsigned bodies", peer);
        }
        recipient.refuse(Refusal.SIGNATURE_UNREAD);
    }

    private void awaitRoom(long bytes) {
        request.pause();
        // As long as one body before it may take: whoever still waits then has more before it, or none of them moves.
        Duration bodyTimeout = loop.receiver().config.bodyTimeout();
        Duration syncTimeout = loop.receiver().syncTimeout;
        Duration most = bodyTimeout.compareTo(syncTimeout) > 0 ? bodyTimeout : syncTimeout;
        loop.deadlines().waits(recipient, most, Refusal.CROWDED);
        claim = loop.receiver().large.await(this, bytes);
    }

    @Override
    public void admitted() {
        if (body.length() > 0) {
            readOn();
        } else {
            readInTurn();
        }
    }

    private void readInTurn() {
        if (loop.receiver().inFlight.full()) {
            request.pause();
            loop.deadlines().waits(recipient, loop.receiver().syncTimeout, Refusal.NO_ROOM);
            place = loop.receiver().inFlight.await(loop.context(), this::read);
        } else {
            read();
        }
    }

    private void read() {
        if (over) {
            return;
        }
        request.handler(this::take).endHandler(v -> complete());
        if (RequestCheck.awaitsContinue(request)) {
            request.response().writeContinue();
        }
        readOn();
    }

    private void readOn() {
        loop.deadlines().bodyStarted(recipient);
        progressed();
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
            failed(e);
            return;
        }
        if (body.length() != declared) {
            goOn();
        }
    }

    /** There is more of the body to come. */
    private void goOn() {
        if (holding != null && !holding.tryGrow(body.capacity())) {
            refuseUnread(body.capacity());
        } else if (holding == null && claim == null && body.length() > SMALL_BODY) {
            awaitRoom(maxBody());
        } else {
            noteProgress();
        }
    }

    private void noteProgress() {
        if (body.length() - timedMark >= Deadlines.PROGRESS_BYTES) {
            timedMark = body.length();
            loop.deadlines().bodyProgressed(recipient);
        }
        if (claim != null && body.length() - roomMark >= enough()) {
            progressed();
        }
    }

    /** What lets the body be complete in its time: with less it only keeps the room from others. */
    private long enough() {
        long bytes = declared < 0 ? maxBody() : declared;
        long inAll = loop.receiver().config.bodyTimeout().toMillis();
        return Math.max(Deadlines.PROGRESS_BYTES, bytes * Room.PROGRESS_TIMEOUT.toMillis() / inAll);
    }

    private void progressed() {
        roomMark = body.length();
        if (claim != null) {
            claim.progressed();
        }
    }

    private void complete() {
        if (over) {
            return;
        }
        if (declared >= 0 && body.length() != declared) {
            // HTTP has seen all of it, so memory ran out for a part on the way to here.
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
    public long counted() {
        return loop.deadlines().counted();
    }

    @Override
    public void evicted(Refusal why) {
        recipient.refuse(why);
    }

    @Override
    public void failed(Throwable cause) {
        boolean forMemory = loop.receiver().shortage().happened(cause);
        recipient.refuse(forMemory ? Refusal.MEMORY : Refusal.MALFORMED);
    }
}
