package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.Push;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageConsumer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The live side: ordinary Vert.x consumers on the bus. */
@Timeout(60)
class BusTest {
    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();
    private GatewayUnderTest gateway;

    @BeforeEach
    void start() {
        gateway = GatewayUnderTest.start(
                new GatewaySettings().consumer("everything", "*, push.unreadable", deliveries), directory);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private List<Push> listen(String address) {
        List<Push> heard = new CopyOnWriteArrayList<>();
        EventBus bus = gateway.gateway().vertx().eventBus();
        bus.<Push>consumer(address, message -> heard.add(message.body()))
                .completion()
                .await();
        return heard;
    }

    @Test
    void aPushIsPublishedUnderItsEventAndUnderAny() {
        List<Push> created = listen("client.created");
        List<Push> unreadable = listen("push.unreadable");
        List<Push> any = listen("push.any");
        String body = envelope("client.created", 1);

        gateway.push(body);
        gateway.push("broken");

        eventually(() -> {
            assertThat(created).hasSize(1);
            assertThat(unreadable).hasSize(1);
            assertThat(any).hasSize(2);
        });
        assertThat(created.get(0).seq()).isEqualTo(1);
        assertThat(created.get(0).body().toString()).isEqualTo(body);
        assertThat(unreadable.get(0).body().toString()).isEqualTo("broken");
    }

    private double skipped() {
        return gateway.metric("holdfast_live_skipped_pushes_total");
    }

    private static void awaitFreed(CountDownLatch freed) {
        try {
            freed.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String large(int n) {
        return envelope("client.created", n) + " ".repeat(200_000);
    }

    @Test
    void aListenerThatIsBlockedTakesAPartOfTheMemoryAndMissesTheRest() {
        CountDownLatch freed = new CountDownLatch(1);
        AtomicLong last = new AtomicLong();
        VerticleBase blocked = new VerticleBase() {
            @Override
            public Future<?> start() {
                return vertx.eventBus()
                        .<Push>localConsumer("push.any", message -> {
                            last.set(message.body().seq());
                            awaitFreed(freed);
                        })
                        .completion();
            }
        };
        gateway.gateway()
                .vertx()
                .deployVerticle(blocked, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER))
                .await();
        int sent = 0;
        while (skipped() == 0) {
            gateway.push(large(++sent));
            int all = sent;
            eventually(() -> assertThat(deliveries.handled()).hasSize(all));
        }
        assertThat(skipped()).isEqualTo(1);

        freed.countDown();
        int heard = sent - 1;
        eventually(() -> assertThat(last).hasValue(heard));
        gateway.push(large(sent + 1));
        eventually(() -> assertThat(last).hasValue(heard + 2L));
        assertThat(skipped()).isEqualTo(1);
    }

    @Test
    void pushesArePublishedInOrderAndOnce() {
        List<Push> any = listen("push.any");
        DeliveryOrderTest.push(gateway, DeliveryOrderTest.envelopes("client.created", "ent-1", 900));
        gateway.push(envelope("client.created", "ent-1", 5));
        gateway.push(envelope("client.created", "ent-1", 900));

        eventually(() -> assertThat(any).hasSizeGreaterThanOrEqualTo(901));
        assertThat(any.stream().map(Push::seq))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 901).boxed().toList());
    }

    @Test
    void whereNobodyListensNothingIsPublished() {
        List<String> published = new CopyOnWriteArrayList<>();
        EventBus bus = gateway.gateway().vertx().eventBus();
        bus.addOutboundInterceptor(sent -> {
            if (!sent.send()) {
                published.add(sent.message().address());
            }
            sent.next();
        });
        MessageConsumer<Push> listener = bus.consumer("client.created", push -> {});
        listener.completion().await();
        gateway.push(envelope("client.created", 1));
        // Consumers get it when it was published under all its addresses.
        eventually(() -> assertThat(deliveries.handled()).hasSize(1));
        assertThat(published).containsExactly("client.created");

        listener.unregister().await();
        List<Push> any = listen("push.any");
        gateway.push(envelope("client.created", 2));

        eventually(() -> assertThat(any).hasSize(1));
        assertThat(published).containsExactly("client.created", "push.any");
    }

    @Test
    void whatOneListenerDoesWithAPushNoOtherSees() {
        List<Push> one = listen("client.created");
        List<Push> other = listen("client.created");

        gateway.push(envelope("client.created", 1));

        eventually(() -> assertThat(other).hasSize(1));
        eventually(() -> assertThat(one).hasSize(1));
        one.get(0).json().put("event", "changed");
        assertThat(other.get(0).json().getString("event")).isEqualTo("client.created");
    }

    @Test
    void aListenerThatThrowsDoesNoHarm() {
        gateway.gateway().vertx().eventBus().<Push>consumer("client.created", message -> {
            throw new IllegalStateException("a listener of the test's");
        });

        gateway.push(envelope("client.created", 1));
        gateway.push(envelope("client.created", 2));

        eventually(() -> assertThat(deliveries.handled()).hasSize(2));
    }

    @Test
    void anEventNamedLikeAnInternalAddressDoesNoHarm() {
        List<Push> unreadable = listen("push.unreadable");
        List<Push> any = listen("push.any");
        List<Push> token = listen("token.current");
        List<String> names = List.of(
                "push.any",
                "push.unreadable",
                "push",
                "token.current",
                "token",
                "holdfast.consumer.everything.1",
                "holdfast");

        names.forEach(event -> gateway.push(envelope(event, 1)));

        // Of several families, so of several lanes: no order between them.
        eventually(() -> assertThat(deliveries.events()).containsExactlyInAnyOrderElementsOf(names));
        eventually(() -> assertThat(any).hasSize(names.size()));
        // Behind what was wrongly published there, if anything was.
        gateway.push("broken");
        eventually(() -> assertThat(unreadable).isNotEmpty());
        assertThat(unreadable).extracting(push -> push.body().toString()).containsExactly("broken");
        assertThat(token).isEmpty();
    }

    @Test
    void anEventNamedLikeARepliesAddressDoesNoHarm() {
        List<String> bodies = IntStream.range(1, 400)
                .mapToObj(n -> envelope("__vertx.reply." + n, n))
                .toList();

        for (String body : bodies) {
            assertThat(gateway.push(body).status()).isEqualTo(200);
        }

        eventually(() -> assertThat(deliveries.bodies()).isEqualTo(bodies));
        assertThat(deliveries.attempts()).hasSize(bodies.size());
    }
}
