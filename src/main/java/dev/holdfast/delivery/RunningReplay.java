package dev.holdfast.delivery;

import dev.holdfast.journal.Backlogs.Backlog;
import dev.holdfast.journal.OrderedPushes;
import dev.holdfast.retry.Outage;
import dev.holdfast.store.Replay;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A replay on its way: each consumer that is there goes on with its part. On the delivery's event loop, unless said. */
final class RunningReplay {
    private static final Logger LOG = LoggerFactory.getLogger(RunningReplay.class);
    /** Begins the names under which checkpoints of replays are kept. */
    private static final String PREFIX = "replay/";

    /** One consumer's part: under way, or as far as it had come. */
    private static final class Part {
        private final Outage outage = new Outage();
        private final Replay.Progress start;
        private Replay.Progress progress;
        private @Nullable ReplayFeed feed;
        /** While its checkpoint is being read, or the last one written. */
        private Future<Void> pending = Future.succeededFuture();
        /** The consumer was no longer configured before its part was done. */
        private volatile boolean leftOut;

        Part(Replay.Progress start, Replay.Progress progress) {
            this.start = start;
            this.progress = progress;
        }

        Replay.Progress progress() {
            return feed == null ? progress : feed.progress();
        }
    }

    private final Replay start;
    private final DeliveryContext delivery;
    private final ConfiguredConsumers configured;
    private final List<Part> parts;
    /** Failed as long as it goes on: nobody has asked for its end, or the end failed. */
    private Future<Void> ending = Future.failedFuture("nobody has asked for it");

    RunningReplay(Replay start, DeliveryContext delivery, ConfiguredConsumers configured) {
        this.start = start;
        this.delivery = delivery;
        this.configured = configured;
        this.parts = start.progress().stream()
                .map(one -> new Part(one, durable(one)))
                .toList();
    }

    /** Whether checkpoints that are kept under a name are those of a replay. */
    static boolean hasName(String name) {
        return name.startsWith(PREFIX);
    }

    private static String name(String id, String consumer) {
        return PREFIX + id + "/" + consumer;
    }

    /** As people call one. */
    static String titled(Replay replay) {
        return (replay.source() == Replay.Source.JOURNAL ? "replay " : "retry ") + replay.id();
    }

    String id() {
        return start.id();
    }

    /** As far as its checkpoints tell, which keep no counts. Any thread. */
    Replay durable() {
        return start.at(parts.stream()
                .filter(part -> !part.leftOut)
                .map(part -> durable(part.start))
                .toList());
    }

    private Replay.Progress durable(Replay.Progress one) {
        long from = delivery.store().blockedPushes().neededFrom(name(id(), one.consumer()));
        return from == 0 ? one : new Replay.Progress(one.consumer(), from, one.delivered(), one.failed());
    }

    /** What it has not come to of the journal; the highest number for one that needs nothing of it. Any thread. */
    Backlog backlog() {
        Replay kept = durable();
        Duration hold = kept.progress().stream()
                .filter(one -> !kept.isDone(one))
                .map(one -> configured.hold(one.consumer()))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        return new Backlog(titled(kept), kept.neededFrom(), hold);
    }

    /** Goes on. */
    void tick() {
        if (isStopped()) {
            return;
        }
        for (Part part : parts) {
            ReplayFeed feed = part.feed;
            if (feed != null) {
                tick(part, feed);
            } else if (isLeft(part) && part.pending.isComplete()) {
                resume(part);
            }
        }
    }

    private void resume(Part part) {
        String consumer = part.progress.consumer();
        Subscription subscription = configured.subscription(consumer);
        if (subscription != null) {
            begin(part, subscription);
        } else if (!configured.knows(consumer)) {
            LOG.atInfo()
                    .addKeyValue("consumer", consumer)
                    .log("{}: {} is no longer configured, and left out", titled(start), consumer);
            part.leftOut = true;
        }
    }

    /** Whether there is something to be done yet. */
    private boolean isLeft(Part part) {
        return !start.isDone(part.progress) && !part.leftOut;
    }

    private void begin(Part part, Subscription subscription) {
        Replay.Progress progress = part.progress;
        OrderedPushes source = ReplayFeed.source(start, progress.consumer(), delivery);
        String name = name(start.id(), progress.consumer());
        part.pending = delivery.reading(
                        () -> Resumption.of(name, progress.next() - 1, subscription.keys(), source, delivery.store()))
                .transform(found -> {
                    if (found.failed()) {
                        complain(part, found.cause());
                    } else if (configured.subscription(progress.consumer()) == subscription && !isStopped()) {
                        part.feed = subscription.begin(start, progress, found.result(), source);
                        if (part.outage.over()) {
                            LOG.atInfo()
                                    .addKeyValue("consumer", progress.consumer())
                                    .log("{}: {} goes on", titled(start), progress.consumer());
                        }
                    }
                    return Future.succeededFuture();
                });
    }

    private void complain(Part part, Throwable cause) {
        if (part.outage.failed()) {
            LOG.atWarn()
                    .addKeyValue("consumer", part.progress.consumer())
                    .log("{}: {} can't go on yet: {}", titled(start), part.progress.consumer(), cause.toString());
        }
    }

    /** What ended with its consumer's subscription goes on with the next one, from where it had come. */
    private static void tick(Part part, ReplayFeed feed) {
        feed.tick();
        if (feed.checkpoints().isFinished() || feed.isDone()) {
            close(part, feed);
        }
    }

    private static void close(Part part, ReplayFeed feed) {
        part.feed = null;
        part.progress = feed.progress();
        part.pending = feed.finish().andThen(done -> part.progress = feed.progress());
    }

    /** Nothing more is sent; succeeds when it is kept how far each part has come. */
    private Future<Void> stop() {
        List<Future<Void>> closed = new ArrayList<>();
        for (Part part : parts) {
            ReplayFeed feed = part.feed;
            if (feed != null) {
                close(part, feed);
            }
            closed.add(part.pending);
        }
        return Future.join(closed).mapEmpty();
    }

    boolean isStopped() {
        return !ending.failed();
    }

    /**
     * Nothing more is sent, and nothing kept of it; succeeds when that is durable. Where it can't be removed from the store, from
     * which the next start would go on with it, it goes on now. It is removed after its checkpoints, so that a crash leaves none
     * of them behind.
     */
    Future<Void> end() {
        ending = stop().transform(closed -> {
            start.progress().forEach(one -> delivery.store().positions().remove(name(id(), one.consumer())));
            return delivery.durable(delivery.store().replays().remove(id()));
        });
        return ending;
    }

    /** Keeps its counts, unless it ends already, which is waited for: it goes on after the next start. */
    Future<Void> finish() {
        if (!isStopped()) {
            ending = stop().transform(closed ->
                    delivery.durable(delivery.store().replays().save(progress())));
        }
        return ending;
    }

    /** How far it has come. */
    Replay progress() {
        return start.at(parts.stream().map(Part::progress).toList());
    }

    /** Nothing is left to be done, but for consumers that are left out. */
    boolean isDone() {
        return parts.stream().allMatch(part -> part.feed == null && part.pending.isComplete() && !isLeft(part));
    }

    boolean leavesOut() {
        return parts.stream().anyMatch(part -> part.leftOut);
    }

    /** Consumers that are away at the moment. */
    List<String> awaited() {
        return parts.stream()
                .filter(this::isLeft)
                .map(part -> part.progress.consumer())
                .filter(consumer -> configured.subscription(consumer) == null)
                .toList();
    }
}
