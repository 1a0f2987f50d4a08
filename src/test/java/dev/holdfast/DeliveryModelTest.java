package dev.holdfast;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consumer.PermanentFailure;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;

/**
 * Random pushes, consumers, failures, stops and crashes against a model: in each lane in order, nothing lost, nothing
 * invented, and again only after a crash.
 */
class DeliveryModelTest {
    /** What becomes of a push at the first consumer. */
    private enum Fate {
        GOOD,
        FAILS,
        THROWS,
        HANGS,
        DEAD
    }

    /** What happens next. */
    private enum Step {
        PUSH,
        STOP,
        CRASH
    }

    private record Action(Step step, int lane, Fate fate, int failures) {}

    private record Shape(int concurrency, int instances, boolean ordered) {}

    /** A push that a consumer has handled, and in which life of the gateway. */
    private record Handled(int life, Push push) {}

    @Provide
    Arbitrary<List<Action>> actions() {
        Arbitrary<Step> steps =
                Arbitraries.frequency(Tuple.of(40, Step.PUSH), Tuple.of(1, Step.STOP), Tuple.of(1, Step.CRASH));
        Arbitrary<Fate> fates = Arbitraries.frequency(
                Tuple.of(20, Fate.GOOD),
                Tuple.of(3, Fate.FAILS),
                Tuple.of(2, Fate.THROWS),
                Tuple.of(1, Fate.HANGS),
                Tuple.of(2, Fate.DEAD));
        return Combinators.combine(
                        steps,
                        Arbitraries.integers().between(0, 5),
                        fates,
                        Arbitraries.integers().between(1, 3))
                .as(Action::new)
                .list()
                .ofMinSize(20)
                .ofMaxSize(150);
    }

    @Provide
    Arbitrary<Shape> shapes() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, 20),
                        Arbitraries.integers().between(1, 3),
                        Arbitraries.of(true, false))
                .as(Shape::new);
    }

    @Property(tries = 12, shrinking = ShrinkingMode.OFF)
    void everyPushArrivesInOrderInItsLane(
            @ForAll("actions") List<Action> actions, @ForAll("shapes") Shape one, @ForAll("shapes") Shape two)
            throws IOException {
        Path directory = Files.createTempDirectory("model");
        try {
            new Run(directory, one, two).play(actions);
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    /** One play of a list of actions. */
    private static final class Run {
        private final Path directory;
        private final Map<String, Deliveries> consumers = Map.of("one", new Deliveries(), "two", new Deliveries());
        private final Map<String, List<Handled>> handled =
                Map.of("one", new CopyOnWriteArrayList<>(), "two", new CopyOnWriteArrayList<>());
        private final Map<String, Integer> attempts = new ConcurrentHashMap<>();
        private final Map<Long, Action> model = new ConcurrentHashMap<>();
        private final Map<Long, String> bodies = new HashMap<>();
        private final Set<Integer> livesAfterACrash = new HashSet<>();
        private final AtomicReference<MortalJournal> journal = new AtomicReference<>();
        private final GatewaySettings settings = new GatewaySettings();
        private final AtomicInteger life = new AtomicInteger();

        Run(Path directory, Shape one, Shape two) {
            this.directory = directory;
            add("one", one);
            add("two", two);
        }

        private void add(String name, Shape shape) {
            Deliveries deliveries = Objects.requireNonNull(consumers.get(name));
            deliveries.behave(push -> handle(name, push));
            settings.consumer(
                    name,
                    "*",
                    deliveries,
                    "timeout: 100ms",
                    "retry: {first-delay: 2ms, max-delay: 10ms}",
                    "concurrency: " + shape.concurrency(),
                    "instances: " + shape.instances(),
                    shape.ordered() ? "order-by: [/nothing, /enterprise_token]" : "start: earliest");
        }

        /** Fails as often as planned, counted over all lives. */
        private Future<?> handle(String consumer, Push push) {
            Action plan = plan(push);
            int attempt = attempts.merge(consumer + push.seq(), 1, Integer::sum);
            if (plan.fate() == Fate.DEAD) {
                return Future.failedFuture(new PermanentFailure("planned"));
            }
            if (plan.fate() != Fate.GOOD && attempt <= plan.failures()) {
                return fail(plan.fate());
            }
            Objects.requireNonNull(handled.get(consumer)).add(new Handled(life.get(), push));
            return Future.succeededFuture();
        }

        /** A push may be delivered before its answer has told the test its position. */
        private Action plan(Push push) {
            int n = push.json().getInteger("n");
            return Objects.requireNonNull(model.get((long) n + 1));
        }

        private static Future<?> fail(Fate fate) {
            return switch (fate) {
                case THROWS -> throw new IllegalStateException("planned");
                case HANGS -> Promise.promise().future();
                default -> Future.failedFuture("planned");
            };
        }

        void play(List<Action> actions) {
            GatewayUnderTest gateway = start();
            try {
                for (Action action : actions) {
                    if (action.step() == Step.PUSH) {
                        push(gateway, action);
                    } else {
                        gateway = restart(gateway, action.step());
                    }
                }
                check(gateway);
            } finally {
                gateway.close();
            }
        }

        private GatewayUnderTest start() {
            return GatewayUnderTest.start(settings, directory, (data, registry) -> {
                MortalJournal opened = MortalJournal.open(data, registry);
                journal.set(opened);
                return opened;
            });
        }

        private void push(GatewayUnderTest gateway, Action action) {
            long seq = model.size() + 1L;
            String body = envelope("client.created", "ent-" + action.lane(), (int) seq - 1);
            model.put(seq, action);
            bodies.put(seq, body);
            assertThat(gateway.push(body).status()).isEqualTo(200);
        }

        private GatewayUnderTest restart(GatewayUnderTest gateway, Step step) {
            if (step == Step.CRASH) {
                Objects.requireNonNull(journal.get()).die();
                livesAfterACrash.add(life.get() + 1);
            }
            gateway.close();
            life.incrementAndGet();
            return start();
        }

        private void check(GatewayUnderTest gateway) {
            handled.forEach((consumer, pushes) -> {
                eventually(() -> assertThat(outcome(gateway, consumer, pushes)).isEqualTo(model.keySet()));
                checkEach(pushes);
                checkOrder(pushes);
            });
        }

        /** Positions that were handled or are dead letters, as planned. */
        private Set<Long> outcome(GatewayUnderTest gateway, String consumer, List<Handled> pushes) {
            Set<Long> seqs = new HashSet<>();
            pushes.forEach(one -> seqs.add(one.push().seq()));
            JsonArray letters = new JsonObject(gateway.management("/api/dead-letters?limit=1000&consumer=" + consumer)
                            .body())
                    .getJsonArray("deadLetters");
            for (Object letter : letters) {
                long seq = ((JsonObject) letter).getLong("seq");
                assertThat(Objects.requireNonNull(model.get(seq)).fate()).isEqualTo(Fate.DEAD);
                seqs.add(seq);
            }
            return seqs;
        }

        private void checkEach(List<Handled> pushes) {
            for (Handled one : pushes) {
                assertThat(one.push().body().toString())
                        .isEqualTo(bodies.get(one.push().seq()));
                assertThat(plan(one.push()).fate()).isNotEqualTo(Fate.DEAD);
            }
        }

        /** Within a lane positions only grow, but for the first step of a life after a crash. */
        private void checkOrder(List<Handled> pushes) {
            Map<String, Handled> newest = new HashMap<>();
            for (Handled one : new ArrayList<>(pushes)) {
                Handled before = newest.put(one.push().enterpriseToken(), one);
                boolean mayComeAgain = before != null
                        && before.life() != one.life()
                        && livesAfterACrash.stream().anyMatch(it -> it > before.life() && it <= one.life());
                if (before != null && !mayComeAgain) {
                    assertThat(one.push().seq()).isGreaterThan(before.push().seq());
                }
            }
        }
    }
}
