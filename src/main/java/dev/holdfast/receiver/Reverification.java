package dev.holdfast.receiver;

import dev.holdfast.journal.Journal;
import dev.holdfast.journal.JournalException;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import dev.holdfast.quarantine.Quarantine;
import dev.holdfast.quarantine.QuarantineFilter;
import dev.holdfast.quarantine.QuarantinedRequest;
import dev.holdfast.quarantine.Verification;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Checks quarantined requests again, by the rule of the receiver, with the secrets and the signature header that their endpoint has
 * now. Those that are authentic become pushes in the order of their arrival, marked late, and leave the quarantine when they are
 * durable. One that ends in between, by a crash too, is done again: the journal knows what it has. Any thread that may block; what
 * changes something does so one at a time.
 */
public final class Reverification {
    /** What was given up at once is asked for again from {@link Verification#next} on: nobody waits for an answer for minutes. */
    private static final long TURN_NANOS = TimeUnit.SECONDS.toNanos(20);
    /** What changes nothing has a thread that other searches wait for. */
    private static final long DRY_TURN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int BATCH = 256;
    private static final long BATCH_BYTES = 2L << 20;

    private final Endpoints endpoints;
    private final Journal journal;
    private final Quarantine quarantine;
    private final InstantSource clock;
    private final Duration syncTimeout;

    /** @param syncTimeout how long it waits for the disk before what isn't stored counts as failed, and stays */
    public Reverification(
            Endpoints endpoints, Journal journal, Quarantine quarantine, InstantSource clock, Duration syncTimeout) {
        this.endpoints = endpoints;
        this.journal = journal;
        this.quarantine = quarantine;
        this.clock = clock;
        this.syncTimeout = syncTimeout;
    }

    /**
     * Checks those that match, for some seconds at most. Blocks.
     *
     * @param dryRun changes nothing: the authentic ones are counted as pushes, duplicates too
     * @param stored is set to how many are in the journal now, also where this fails
     */
    public Verification run(QuarantineFilter filter, boolean dryRun, AtomicLong stored) {
        return dryRun ? count(filter) : store(filter, stored);
    }

    private Verification count(QuarantineFilter filter) {
        Turn turn = new Turn(filter.to(), true);
        quarantine.walk(filter, turn::check);
        return turn.outcome();
    }

    private synchronized Verification store(QuarantineFilter filter, AtomicLong stored) {
        Turn turn = new Turn(filter.to(), false);
        try {
            quarantine.walk(filter, turn::check);
        } finally {
            // Also where the others can't be read: these are on their way.
            turn.store();
            stored.set(turn.gone.size());
            quarantine.remove(turn.gone);
        }
        return turn.outcome();
    }

    /** One push on its way into the journal. */
    private record Stored(long id, CompletableFuture<Boolean> duplicate) implements Journal.Outcome {
        @Override
        public void stored(long seq, boolean isDuplicate) {
            duplicate.complete(isDuplicate);
        }

        @Override
        public void failed(JournalException cause) {
            duplicate.completeExceptionally(cause);
        }
    }

    private final class Turn {
        private final long last;
        private final boolean dryRun;
        private final long end;
        private final List<Long> gone = new ArrayList<>();
        private final List<Stored> underWay = new ArrayList<>();
        private long bytesUnderWay;
        private long pushes;
        private long duplicates;
        private long wrong;
        private long unknown;
        private long failed;
        private long next;

        Turn(long last, boolean dryRun) {
            this.last = last;
            this.dryRun = dryRun;
            this.end = System.nanoTime() + (dryRun ? DRY_TURN_NANOS : TURN_NANOS);
        }

        /** Whether to go on. */
        boolean check(QuarantinedRequest request) {
            Endpoint endpoint = endpoints.named(request.endpoint());
            if (endpoint == null) {
                unknown++;
            } else {
                check(request, endpoint);
            }
            if ((underWay.size() >= BATCH || bytesUnderWay >= BATCH_BYTES) && !store()) {
                return false;
            }
            boolean more = System.nanoTime() - end < 0;
            next = more || request.id() == last ? 0 : request.id() + 1;
            return more;
        }

        private void check(QuarantinedRequest request, Endpoint endpoint) {
            ClaimedSignature signature = ClaimedSignature.of(request.values(endpoint.signatureHeader()));
            if (signature.mismatch(request.body(), endpoint.secrets()) != null) {
                wrong++;
                return;
            }
            if (dryRun) {
                pushes++;
                return;
            }
            Stored stored = new Stored(request.id(), new CompletableFuture<>());
            underWay.add(stored);
            bytesUnderWay += request.body().length;
            journal.append(push(request, signature.value()), stored);
        }

        private PushRecord push(QuarantinedRequest request, String signature) {
            List<String> types = request.values("Content-Type");
            RequestHead head = new RequestHead(
                    signature,
                    types.isEmpty() ? "" : types.get(0),
                    String.join(", ", request.values("Content-Encoding")),
                    request.query());
            return new PushRecord(
                            PushRecord.UNSTORED,
                            request.endpoint(),
                            request.envelope(),
                            request.receivedAt(),
                            head,
                            request.body())
                    .lateAt(clock.millis());
        }

        /** Waits for what is under way; whether all of it is durable. */
        boolean store() {
            long failedBefore = failed;
            long deadline = System.nanoTime() + syncTimeout.toNanos();
            underWay.forEach(stored -> await(stored, deadline));
            underWay.clear();
            bytesUnderWay = 0;
            return failed == failedBefore;
        }

        private void await(Stored stored, long deadline) {
            try {
                boolean duplicate = stored.duplicate().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                duplicates += duplicate ? 1 : 0;
                pushes += duplicate ? 0 : 1;
                gone.add(stored.id());
            } catch (ExecutionException | TimeoutException e) {
                failed++;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failed++;
            }
        }

        Verification outcome() {
            return new Verification(pushes, duplicates, wrong, unknown, failed, failed == 0 ? next : 0);
        }
    }
}
