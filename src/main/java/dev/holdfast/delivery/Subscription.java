package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.Progress;
import dev.holdfast.store.Replay;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** One consumer that is delivered to: its ordinary way, and its replays beside it. Lives on the delivery's event loop. */
final class Subscription {
    private final String name;
    private final Parts parts;
    private final List<String> events;
    private final Patterns patterns;
    private final Ordering ordering;
    private final Courier courier;
    private final Cursor cursor;
    private final OrdinaryWay ordinary;
    private final DeliveryMeters meters;
    private final LetterBox letters;
    private final LetterCount letterCount;

    Subscription(ConsumerConfig config, ConsumerContext consumer, StartPosition.Start start, Parts parts) {
        this.name = config.name();
        this.parts = parts;
        this.events = config.events();
        this.patterns = new Patterns(events);
        this.ordering = new Ordering(config.orderBy());
        Lanes lanes = new Lanes(ordering, start.progress(), parts.bounds());
        this.cursor = new Cursor(name, start.progress(), parts, lanes, this::resume);
        this.letterCount = new LetterCount(name, parts);
        this.meters = new DeliveryMeters(parts.registry(), name, this::lag, letterCount::get);
        this.courier = new Courier(config, consumer, parts, meters, letterCount);
        this.letters = new LetterBox(name, parts, letterCount, start.unsettledLetters());
        this.ordinary = new OrdinaryWay(name, parts, courier, lanes, this::wants, cursor, letters);
        this.courier.add(ordinary);
        this.meters.watch(lanes::behindCount, courier::resting, () -> courier.isSlowed() ? 1 : 0);
    }

    private void resume() {
        ordinary.resume();
    }

    private boolean wants(PushRecord push) {
        return patterns.match(push.envelope().event());
    }

    /** Which events the consumer wants. What it gives is for one thread, whichever. */
    Predicate<String> subscribed() {
        return new Patterns(events)::match;
    }

    /** Positions from the first that is not handled to the newest. */
    private long lag() {
        return Math.max(0, parts.journal().lastSeq() + 1 - cursor.durable().neededFrom());
    }

    ConsumerState state() {
        return new ConsumerState(
                name,
                cursor.durable().handled(),
                lag(),
                courier.isSlowed(),
                ordinary.lanes().behindCount(),
                courier.resting(),
                courier.lastFailure());
    }

    /** How far the consumer has come, durably. Any thread. */
    Progress durable() {
        return cursor.durable();
    }

    /** Just-committed pushes. */
    void offer(List<PushRecord> pushes) {
        ordinary.offer(pushes);
    }

    /** Looks for pushes up to {@code last} that were never offered. */
    void tick(long last) {
        ordinary.tick(last);
        letterCount.tick();
    }

    LetterCount letterCount() {
        return letterCount;
    }

    LetterBox letters() {
        return letters;
    }

    /** Begins, or goes on with, the consumer's part of a replay. */
    Rerun rerun(Replay replay, Replay.Leg from) {
        Lanes lanes = new Lanes(
                ordering, from.progress().under(ordering.name()), parts.bounds().ofReplay());
        Rerun rerun = new Rerun(replay, from, parts, courier, lanes, ordinary, this::wants, letters);
        if (!rerun.isReplay()) {
            letters.retryBegins();
        }
        courier.add(rerun);
        return rerun;
    }

    /** Sends no more of it. */
    void end(Rerun rerun) {
        rerun.stop();
        courier.remove(rerun);
        if (!rerun.isReplay()) {
            letters.retryEnds();
        }
        letterCount.look();
    }

    boolean isOf(Rerun rerun) {
        return rerun.isBeside(ordinary);
    }

    /** Sends nothing more, waits for the batches under way, but not beyond {@code patience}, saves the cursor. */
    Future<Void> stop(Duration patience) {
        ordinary.stop();
        courier.stop();
        meters.remove();
        Promise<Void> settled = Promise.promise();
        long deadline = System.nanoTime() + patience.toNanos();
        parts.vertx().setPeriodic(10, timer -> {
            if (courier.underWay() == 0 || System.nanoTime() - deadline > 0) {
                parts.vertx().cancelTimer(timer);
                settled.complete();
            }
        });
        return settled.future().compose(v -> cursor.finish());
    }
}
