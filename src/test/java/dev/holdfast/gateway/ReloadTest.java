package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.requestTo;
import static dev.holdfast.gateway.GatewayUnderTest.sign;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.consumer.PushConsumer;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A changed configuration of a gateway that runs: all of it is in force, or nothing. */
@Timeout(60)
class ReloadTest {
    private static final String OTHER_SECRET = "another-secret-of-the-tests-98765";

    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();

    /** Can't start. */
    public static final class Refuses extends PushConsumer {
        @Override
        public Future<?> start() {
            return Future.failedFuture(new IllegalStateException("nothing to be had"));
        }

        @Override
        protected Future<?> handle(Push push) {
            return Future.succeededFuture();
        }
    }

    private static GatewaySettings settings() {
        return new GatewaySettings().endpoint("default", "/webhook", "Service-Signature", GatewayUnderTest.SECRET);
    }

    private static GatewaySettings withBilling() {
        return settings().endpoint("billing", "/billing", "X-Billing", OTHER_SECRET);
    }

    private static byte[] billing(int n) {
        byte[] body = bytes(envelope("client.created", n));
        return requestTo("/billing", body, "X-Billing: " + sign(body, OTHER_SECRET));
    }

    @Test
    void anEndpointComesAndGoesWhileARequestToItIsUnderWay() {
        try (GatewayUnderTest gateway =
                GatewayUnderTest.start(settings().consumer("mine", "*", deliveries), directory)) {
            assertThat(gateway.send(billing(1)).status()).isEqualTo(404);

            gateway.reconfigure(withBilling().consumer("mine", "*", deliveries), directory);
            assertThat(gateway.send(billing(2)).status()).isEqualTo(200);

            byte[] request = billing(3);
            try (RawConnection slow = gateway.connect()) {
                slow.send(request, 0, request.length - 10);
                eventually(() -> assertThat(gateway.metric("holdfast_receiver_requests_total"))
                        .isEqualTo(3));
                gateway.reconfigure(settings().consumer("mine", "*", deliveries), directory);
                assertThat(gateway.send(billing(4)).status()).isEqualTo(404);

                slow.send(request, request.length - 10, 10);
                assertThat(slow.answer().status()).isEqualTo(200);
            }
            eventually(() ->
                    assertThat(deliveries.handled()).extracting(Push::endpoint).containsExactly("billing", "billing"));
        }
    }

    /** Or the alert on an endpoint without pushes would miss one that gets none at all, and go on about one that is gone. */
    @Test
    void pushesAreAwaitedAtAnEndpointFromThenOnThatItComesAndUntilItGoes() {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory)) {
            for (int n = 1; n <= 2; n++) {
                double before = System.currentTimeMillis() / 1000.0;
                gateway.reconfigure(withBilling(), directory);
                assertThat(lastAccepted(gateway)).isBetween(before, System.currentTimeMillis() / 1000.0);
                assertThat(gateway.send(billing(n)).status()).isEqualTo(200);

                gateway.reconfigure(settings(), directory);
                assertThat(lastAccepted(gateway)).isZero();
            }
        }
    }

    private static double lastAccepted(GatewayUnderTest gateway) {
        return Scrape.of(gateway.management("/metrics").body())
                .sum("holdfast_receiver_last_accepted_timestamp_seconds{endpoint=\"billing\"}");
    }

    @Test
    void noPushIsAnsweredWronglyWhileEndpointsComeAndGo() throws Exception {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory)) {
            AtomicBoolean changing = new AtomicBoolean(true);
            CountDownLatch begun = new CountDownLatch(2);
            AtomicInteger sent = new AtomicInteger();
            ExecutorService clients = Executors.newFixedThreadPool(2);
            var toTheOneThatStays = clients.submit(() -> {
                try (RawConnection connection = gateway.connect()) {
                    return answers(changing, begun, () -> {
                        byte[] push = GatewayUnderTest.signed(envelope("client.created", sent.incrementAndGet()));
                        return connection.send(push).answer().status();
                    });
                }
            });
            var toTheOneThatComesAndGoes = clients.submit(() -> answers(
                    changing,
                    begun,
                    () -> gateway.send(billing(sent.incrementAndGet())).status()));
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 20; i++) {
                gateway.reconfigure(i % 2 == 0 ? withBilling() : settings(), directory);
            }
            changing.set(false);

            assertThat(toTheOneThatStays.get(30, TimeUnit.SECONDS)).containsExactly(200);
            assertThat(toTheOneThatComesAndGoes.get(30, TimeUnit.SECONDS)).isSubsetOf(200, 404);
            clients.shutdown();
        }
    }

    private static Set<Integer> answers(AtomicBoolean changing, CountDownLatch begun, Callable<Integer> push)
            throws Exception {
        Set<Integer> answers = new TreeSet<>(Set.of(push.call()));
        begun.countDown();
        while (changing.get()) {
            answers.add(push.call());
        }
        return answers;
    }

    @Test
    void aConsumerThatIsRefusedLeavesSecretsEndpointsAndOtherConsumersAsTheyWere() {
        GatewaySettings before = settings()
                .consumer("mine", "*", deliveries)
                .consumer("going", "*", new Deliveries())
                .consumer("changing", "*", new Deliveries());
        GatewaySettings wanted = new GatewaySettings()
                .endpoint("default", "/webhook", "Service-Signature", OTHER_SECRET)
                .endpoint("billing", "/billing", "X-Billing", OTHER_SECRET)
                .shipped("mine", Refuses.class.getName(), "")
                .consumer("changing", "*", new Deliveries(), "timeout: 7s")
                .consumer("new", "*", new Deliveries());
        try (GatewayUnderTest gateway = GatewayUnderTest.start(before, directory);
                LogLines log = LogLines.atWarn()) {
            gateway.reconfigure(wanted, directory);

            assertThat(log.text())
                    .contains("the changed configuration is refused and the one before stays in force, all of it:\n"
                            + "consumer mine can't be started, the one before goes on: ");
            assertThat(gateway.push(envelope("client.created", 1)).status()).isEqualTo(200);
            assertThat(gateway.send(billing(2)).status()).isEqualTo(404);
            eventually(() -> assertThat(deliveries.handled()).hasSize(1));
            for (String name : List.of("mine", "going", "changing")) {
                eventually(() -> assertThat(gateway.metric("holdfast_consumer_running{consumer=\"" + name + "\"}"))
                        .isEqualTo(1));
            }
            assertThat(gateway.management("/metrics").body()).doesNotContain("{consumer=\"new\"}");
        }
    }

    @Test
    void aConfigurationThatTheNextStartHasNoMemoryForIsRefused() {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory);
                LogLines log = LogLines.atWarn()) {
            gateway.reconfigure(withBilling().receiver("max-in-flight: 1024GiB"), directory);

            assertThat(log.text())
                    .contains("the changed configuration is refused and the one before stays in force, all of it:\n"
                            + "memory: found a heap of ");
            assertThat(gateway.metric("holdfast_config_reload_success")).isZero();
            assertThat(gateway.send(billing(1)).status()).isEqualTo(404);

            gateway.reconfigure(withBilling(), directory);
            assertThat(gateway.send(billing(2)).status()).isEqualTo(200);
        }
    }

    @Test
    void aRefusalIsToldByMetricAndReadinessUntilTheFileIsGoodAgain() {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory)) {
            assertThat(gateway.metric("holdfast_config_reload_success")).isEqualTo(1);
            double startedAt = gateway.metric("holdfast_config_reload_success_timestamp_seconds");
            assertThat(startedAt).isPositive();

            gateway.gateway().reload().refused(List.of("holdfast.yaml:3: receiver.port: found \"x\", expected a port"));
            assertThat(gateway.metric("holdfast_config_reload_success")).isZero();
            assertThat(gateway.metric("holdfast_config_reload_failures_total")).isEqualTo(1);
            assertThat(gateway.management("/readyz").body())
                    .contains("file was refused at")
                    .doesNotContain("receiver.port");
            assertThat(gateway.isReady()).isTrue();

            gateway.reconfigure(settings(), directory);
            assertThat(gateway.metric("holdfast_config_reload_success")).isEqualTo(1);
            assertThat(gateway.metric("holdfast_config_reload_success_timestamp_seconds"))
                    .isGreaterThan(startedAt);
            assertThat(gateway.management("/readyz").body()).doesNotContain("was refused");
        }
    }

    @Test
    void whatIsRefusedForItsSignatureIsToldOfUntilAnEndpointChanges() {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory)) {
            byte[] body = bytes(envelope("client.created", 1));
            for (int i = 0; i < 10; i++) {
                gateway.send(requestTo("/webhook", body, "Service-Signature: " + sign(body, OTHER_SECRET)));
            }

            gateway.reconfigure(settings().consumer("mine", "*", deliveries), directory);
            assertThat(gateway.management("/readyz").body()).contains("10 pushes at `default` were refused since");

            gateway.reconfigure(withBilling().consumer("mine", "*", deliveries), directory);
            assertThat(gateway.management("/readyz").body()).contains("\"notices\":[]");
        }
    }

    @Test
    void whatCantBeReloadedIsNamedAndStaysSo() {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory);
                LogLines log = LogLines.atInfo()) {
            gateway.reconfigure(withBilling().journal("retention: 3d").receiver("body-timeout: 7s"), directory);
            assertThat(log.text())
                    .contains(
                            "the changed configuration is in force: endpoint billing; what else differs needs a restart:"
                                    + " journal.retention, receiver.body-timeout");
            gateway.reconfigure(withBilling(), directory);
            assertThat(log.lines().get(log.lines().size() - 1).strip())
                    .endsWith("the changed configuration is in force");
            assertThat(gateway.reconfigure(withBilling(), directory)).isFalse();
        }
    }

    @Test
    void theLogsLevelChanges() {
        Logger log = LoggerFactory.getLogger("dev.holdfast.any");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory);
                LogLines lines = LogLines.atInfo()) {
            assertThat(log.isDebugEnabled()).isFalse();

            gateway.reconfigure(settings().section("logging: {level: debug}"), directory);
            assertThat(lines.text()).contains("the log's level is debug now").doesNotContain("needs a restart");
            assertThat(log.isDebugEnabled()).isTrue();

            gateway.reconfigure(settings(), directory);
            assertThat(log.isDebugEnabled()).isFalse();
        }
    }

    @Test
    void theConfigurationIsLoggedALineAKeyAsItStarts() {
        try (LogLines log = LogLines.atInfo();
                GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory)) {
            assertThat(gateway.isReady()).isTrue();
            String line = log.lines().stream()
                    .filter(one -> one.contains("configuration:"))
                    .findFirst()
                    .orElseThrow();
            assertThat(line.strip().lines().skip(1))
                    .hasSizeGreaterThan(20)
                    .contains("  receiver.port: 0", "  receiver.endpoints[0].path: /webhook", "  logging.level: info")
                    .allMatch(key -> key.matches("  [a-z0-9.\\[\\]-]+: .*"));
            assertThat(line).doesNotContain(GatewayUnderTest.SECRET);
        }
    }
}
