package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.config.RetryConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.PushConsumer;
import dev.holdfast.journal.Journal;
import dev.holdfast.journal.JournalException;
import dev.holdfast.journal.TrialJournal;
import dev.holdfast.push.BusinessData;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushFilter;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.store.DeadLetterFilter;
import dev.holdfast.store.DeadLetterSearch;
import dev.holdfast.store.Replay;
import dev.holdfast.tracing.PushTracer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** A process's life, as far as delivery is concerned: from its start to a clean stop or a crash. */
final class Life {
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** On the transport of a gateway, which wakes its loops with far less than Java's. */
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final TrialJournal journal;
    private final Delivery delivery;
    private final Duration stopTimeout;

    Life(Path directory, Limits limits) {
        this(directory, limits, TIMEOUT);
    }

    Life(Path directory, Limits limits, Duration stopTimeout) {
        this(directory, limits, stopTimeout, PushWatcher.NONE);
    }

    /** @param context what the delivery gets for the one that it runs on */
    Life(Path directory, Limits limits, UnaryOperator<Context> context) {
        this(directory, limits, TIMEOUT, PushWatcher.NONE, context);
    }

    /** @param stopTimeout how long batches under way are waited for when a consumer is to stop */
    Life(Path directory, Limits limits, Duration stopTimeout, PushWatcher watcher) {
        this(directory, limits, stopTimeout, watcher, UnaryOperator.identity());
    }

    private Life(
            Path directory, Limits limits, Duration stopTimeout, PushWatcher watcher, UnaryOperator<Context> context) {
        this.stopTimeout = stopTimeout;
        Delivery.registerCodecs(vertx);
        journal = TrialJournal.open(directory, registry);
        delivery = new Delivery(
                        journal,
                        journal,
                        registry,
                        new BusinessData(null),
                        watcher,
                        PushTracer.NONE,
                        new LiveListeners(),
                        stopTimeout)
                .within(limits);
        delivery.start(context.apply(vertx.getOrCreateContext())).await();
    }

    /**
     * A consumer of every push, from the oldest on, with an instance that may take its time.
     *
     * @param delay between two attempts at a push
     */
    static ConsumerConfig consumer(String name, int concurrency, Duration delay) {
        return consumer(name, concurrency, new RetryConfig(delay, 1, delay, 0, null, null));
    }

    static ConsumerConfig consumer(String name, int concurrency, RetryConfig retry) {
        return consumer(name, ConsumerConfig.Start.EARLIEST, concurrency, retry, "*");
    }

    static ConsumerConfig consumer(
            String name, ConsumerConfig.Start start, int concurrency, RetryConfig retry, String... events) {
        return consumer(name, List.of(events), start, concurrency, 1, Duration.ofSeconds(50), retry);
    }

    static ConsumerConfig consumer(
            String name,
            List<String> events,
            ConsumerConfig.Start start,
            int concurrency,
            int instances,
            Duration timeout,
            RetryConfig retry) {
        return new ConsumerConfig(
                name,
                events,
                "planned",
                start,
                List.of(),
                concurrency,
                instances,
                ConsumerConfig.Threading.WORKER,
                timeout,
                retry,
                Duration.ofDays(14),
                Map.of(),
                Map.of());
    }

    TrialJournal journal() {
        return journal;
    }

    Vertx vertx() {
        return vertx;
    }

    SimpleMeterRegistry registry() {
        return registry;
    }

    Delivery delivery() {
        return delivery;
    }

    /** How many dead letters the only consumer has, as its meter tells. */
    double deadLetters() {
        return registry.get("holdfast.consumer.dead.letters").gauge().value();
    }

    void retryAll() {
        retry(new DeadLetterFilter(null, null, 0, Long.MAX_VALUE, Long.MAX_VALUE));
    }

    /** Retries the dead letters that match, as the management API does; those of consumers that have some. */
    void retry(DeadLetterFilter filter) {
        DeadLetterSearch search = new DeadLetterSearch(journal.deadLetters());
        Set<String> consumers = new TreeSet<>(delivery.consumers().there());
        consumers.removeIf(
                name -> filter.consumer() != null && !filter.consumer().equals(name));
        consumers.removeIf(name -> search.count(filter.of(name, filter.to())) == 0);
        if (!consumers.isEmpty()) {
            delivery.replays().retry(filter, consumers).await();
        }
    }

    /** Begins to deliver everything again, to all consumers. */
    Future<Replay> replay(int rate) {
        return delivery.replays().start(PushFilter.ALL, delivery.consumers().names(), rate);
    }

    /** Deploys a consumer's instances and delivers to them. */
    void add(ConsumerConfig config, BiFunction<Push, Vertx, Future<?>> handler) {
        for (int i = 0; i < config.instances(); i++) {
            PushConsumer instance = new PushConsumer() {
                @Override
                protected Future<?> handle(Push push) {
                    return handler.apply(push, vertx);
                }
            };
            instance.bind(context(config), i);
            DeploymentOptions options = new DeploymentOptions()
                    .setThreadingModel(ThreadingModel.WORKER)
                    .setWorkerPoolName(config.name() + "-" + i)
                    .setWorkerPoolSize(1);
            vertx.deployVerticle(instance, options).await();
        }
        deliver(config);
    }

    /** Delivers to a consumer whose instances are there. */
    void deliver(ConsumerConfig config) {
        delivery.consumers()
                .reserve(config)
                .compose(v -> delivery.consumers().add(config, context(config)))
                .await();
    }

    private static ConsumerContext context(ConsumerConfig config) {
        return new ConsumerContext(config.name(), config.timeout(), "visitor.updated");
    }

    /** Returns once all of them are durable. */
    void send(List<PushRecord> pushes) {
        CompletableFuture.allOf(pushes.stream().map(this::append).toArray(CompletableFuture<?>[]::new))
                .join();
    }

    private CompletableFuture<Long> append(PushRecord push) {
        CompletableFuture<Long> stored = new CompletableFuture<>();
        journal.append(push, new Journal.Outcome() {
            @Override
            public void stored(long seq, boolean duplicate) {
                stored.complete(seq);
            }

            @Override
            public void failed(JournalException cause) {
                stored.completeExceptionally(cause);
            }
        });
        return stored;
    }

    void stop() {
        journal.keepAgain();
        delivery.finish(stopTimeout).await();
        end();
    }

    /** The pushes that were taken are durable; nothing else is written from here on. */
    void crash() {
        journal.die();
        end();
    }

    private void end() {
        vertx.close().await();
        journal.close();
    }
}
