package dev.holdfast.delivery;

import dev.holdfast.delivery.PlannedPush.Fate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;

/** Random plans. */
final class Plans {
    private static final List<String> EVENTS =
            List.of("client.created", "client.updated", "conversation.created", "conversation.closed");

    private static final Duration TIMEOUT = Duration.ofMillis(250);

    private Plans() {}

    /** One push for all that may become of one without a time-out, at a consumer that has enough time. */
    static Plan rehearsal() {
        PlannedConsumer consumer = new PlannedConsumer("c0", List.of("*"), true, 2, 2, Duration.ofMinutes(1), null);
        List<PlannedPush> pushes = Stream.of(Fate.values())
                .filter(fate -> fate != Fate.HANGS)
                .map(fate -> new PlannedPush(1, EVENTS.get(0), 1 + fate.ordinal(), fate, 1))
                .toList();
        return new Plan(List.of(consumer), List.of(new Step.Send(pushes)));
    }

    static Arbitrary<Plan> any() {
        Arbitrary<List<PlannedConsumer>> some = uniform(consumers(), 1, 4).map(Plans::named);
        return Combinators.combine(some, uniform(steps(), 10, 40)).as(Plan::new);
    }

    private static <T> Arbitrary<List<T>> uniform(Arbitrary<T> element, int least, int most) {
        return element.list().ofMinSize(least).ofMaxSize(most).withSizeDistribution(RandomDistribution.uniform());
    }

    private static Arbitrary<Integer> between(int least, int most) {
        return Arbitraries.integers().between(least, most).withDistribution(RandomDistribution.uniform());
    }

    private static Arbitrary<PlannedConsumer> consumers() {
        Arbitrary<List<String>> events = Arbitraries.of(
                List.of("*"),
                List.of("*"),
                List.of("client.*"),
                List.of("client.created", "conversation.*"),
                List.of("conversation.closed"));
        return Combinators.combine(
                        events,
                        Arbitraries.of(true, false),
                        between(1, 6),
                        between(1, 3),
                        Arbitraries.of(2, 3).injectNull(0.5))
                .as((wanted, ordered, concurrency, instances, attempts) ->
                        new PlannedConsumer("", wanted, ordered, concurrency, instances, TIMEOUT, attempts));
    }

    private static List<PlannedConsumer> named(List<PlannedConsumer> consumers) {
        List<PlannedConsumer> named = new ArrayList<>();
        for (PlannedConsumer one : consumers) {
            named.add(new PlannedConsumer(
                    "c" + named.size(),
                    one.events(),
                    one.ordered(),
                    one.concurrency(),
                    one.instances(),
                    one.timeout(),
                    one.maxAttempts()));
        }
        return named;
    }

    private static Arbitrary<Step> steps() {
        Arbitrary<Integer> percent = between(0, 100);
        Arbitrary<String> event =
                Arbitraries.of("client.*", "conversation.closed").injectNull(0.6);
        Arbitrary<Step> send = uniform(pushes(), 1, 40).map(Step.Send::new);
        Arbitrary<Step> crash = between(1, 12).map(Step.Crash::new);
        Arbitrary<Step> retry = Combinators.combine(between(-1, 3), percent, percent, event, between(1, 3))
                .as((consumer, one, other, of, each) ->
                        new Step.Retry(consumer, Math.min(one, other), Math.max(one, other), of, each));
        Arbitrary<Step> replay = Combinators.combine(between(-1, 3), percent, percent, event, between(200, 5000))
                .as((consumer, one, other, of, rate) ->
                        new Step.Replay(consumer, Math.min(one, other), Math.max(one, other), of, rate));
        return Arbitraries.frequencyOf(
                Tuple.of(20, send),
                Tuple.of(1, Arbitraries.just(new Step.Stop())),
                Tuple.of(2, crash),
                Tuple.of(2, Arbitraries.just(new Step.Hold())),
                Tuple.of(2, retry),
                Tuple.of(2, replay),
                Tuple.of(1, between(0, 3).map(Step.Bounce::new)),
                Tuple.of(2, Arbitraries.just(new Step.GiveUp())));
    }

    private static Arbitrary<PlannedPush> pushes() {
        Arbitrary<Fate> fates = Arbitraries.frequency(
                Tuple.of(120, Fate.GOOD),
                Tuple.of(40, Fate.SLOW),
                Tuple.of(15, Fate.FAILS),
                Tuple.of(10, Fate.THROWS),
                Tuple.of(1, Fate.HANGS),
                Tuple.of(10, Fate.PERMANENT),
                Tuple.of(2, Fate.STUCK));
        return Combinators.combine(between(1, 3), Arbitraries.of(EVENTS), between(0, 3), fates, between(1, 4))
                .as(PlannedPush::new);
    }
}
