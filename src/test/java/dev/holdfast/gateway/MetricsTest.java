package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.request;
import static dev.holdfast.gateway.GatewayUnderTest.requestTo;
import static dev.holdfast.gateway.GatewayUnderTest.signed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.PermanentFailure;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code /metrics} tells of what happens. */
@Timeout(60)
class MetricsTest {
    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();

    private GatewayUnderTest start() {
        return GatewayUnderTest.start(new GatewaySettings().consumer("mine", "client.*", deliveries), directory);
    }

    private static Scrape scrape(GatewayUnderTest gateway) {
        return Scrape.of(gateway.management("/metrics").body());
    }

    @Test
    void eachAcknowledgedPushIsInTheHistogramOfLatenciesAndNoRefusedOne() {
        try (GatewayUnderTest gateway = start()) {
            gateway.push(envelope("client.created", 1));
            gateway.push(envelope("client.created", 1));
            gateway.send(request(bytes(envelope("client.created", 2))));

            Scrape scrape = scrape(gateway);
            assertThat(scrape.sum("holdfast_receiver_acknowledgement_seconds_count"))
                    .isEqualTo(2);
            assertThat(scrape.sum("holdfast_receiver_acknowledgement_seconds_bucket{le=\"+Inf\"}"))
                    .isEqualTo(2);
            assertThat(scrape.sum("holdfast_receiver_acknowledgement_seconds_sum"))
                    .isBetween(1e-6, 30.0);
            assertThat(scrape.sum("holdfast_journal_sync_seconds_bucket{le=\"+Inf\"}"))
                    .isPositive();
        }
    }

    @Test
    void answersDuplicatesAndRefusalsAreCountedByEndpoint() {
        String secret = "another-secret-of-the-tests-012345";
        GatewaySettings settings = new GatewaySettings()
                .endpoint("one", "/one", "Service-Signature", secret)
                .endpoint("two", "/two", "Service-Signature", secret);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            byte[] body = bytes(envelope("client.created", 1));
            String signature = "Service-Signature: " + GatewayUnderTest.sign(body, secret);
            gateway.send(requestTo("/one", body, signature));
            gateway.send(requestTo("/one", body, signature));
            gateway.send(requestTo("/two", body));
            gateway.send(requestTo("/three", body, signature));

            Scrape scrape = scrape(gateway);
            assertThat(scrape.sum("holdfast_receiver_answers_total{endpoint=\"one\",status=\"200\"}"))
                    .isEqualTo(2);
            assertThat(scrape.sum("holdfast_receiver_duplicates_total{endpoint=\"one\"}"))
                    .isEqualTo(1);
            assertThat(scrape.sum("holdfast_receiver_answers_total{endpoint=\"two\",status=\"200\"}"))
                    .isZero();
            assertThat(scrape.sum("holdfast_receiver_refusals_total{endpoint=\"two\"}"))
                    .isEqualTo(scrape.sum("holdfast_receiver_answers_total{endpoint=\"two\",status=\"401\"}"))
                    .isEqualTo(1);
            assertThat(scrape.sum("holdfast_receiver_refusals_total{endpoint=\"\",cause=\"not-found\"}"))
                    .isEqualTo(1);
        }
    }

    @Test
    void theLastAcceptedPushOfAnEndpointIsToldAsATimeAndBeforeTheFirstThatIsTheStart() {
        double before = System.currentTimeMillis() / 1000.0;
        try (GatewayUnderTest gateway = start()) {
            double started = scrape(gateway).sum("holdfast_receiver_last_accepted_timestamp_seconds");
            assertThat(started).isBetween(before, System.currentTimeMillis() / 1000.0);

            eventually(() -> assertThat(System.currentTimeMillis() / 1000.0).isGreaterThan(started));
            gateway.push(envelope("client.created", 1));

            assertThat(scrape(gateway).sum("holdfast_receiver_last_accepted_timestamp_seconds{endpoint=\"default\"}"))
                    .isGreaterThan(started)
                    .isLessThanOrEqualTo(System.currentTimeMillis() / 1000.0);
        }
    }

    @Test
    void eventsBeyondFiftyNamesAreFoldedIntoOne() {
        try (GatewayUnderTest gateway = start()) {
            for (int n = 0; n < 60; n++) {
                gateway.push(envelope("topic" + n + ".made", n));
            }

            eventually(() -> assertThat(gateway.metric("holdfast_pushes_total")).isEqualTo(60));
            eventually(() -> assertThat(gateway.metric("holdfast_pushes_unsubscribed_total{event=\"other\"}"))
                    .isEqualTo(10));
            assertThat(gateway.metric("holdfast_pushes_total{event=\"other\"}")).isEqualTo(10);
            assertThat(gateway.metric("holdfast_pushes_total{event=\"topic7.made\"}"))
                    .isEqualTo(1);
        }
    }

    @Test
    void theAgeOfTheOldestUndeliveredPushGrowsWhileItWaitsAndIsZeroThen() {
        Promise<Void> gate = Promise.promise();
        deliveries.behave(push -> gate.future());
        String age = "holdfast_consumer_lag_seconds{consumer=\"mine\"}";
        try (GatewayUnderTest gateway = start()) {
            assertThat(gateway.metric(age)).isZero();
            gateway.push(envelope("client.created", 1));

            eventually(() -> assertThat(gateway.metric(age)).isGreaterThan(0.3));
            gate.complete();
            eventually(() -> assertThat(gateway.metric(age)).isZero());
        }
    }

    @Test
    void aConsumerThatCanNotStartHasALagAllTheSame() {
        GatewaySettings settings = new GatewaySettings().shipped("file", "file", "directory: /proc/nowhere");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            gateway.push(envelope("client.created", 1));

            eventually(() -> assertThat(gateway.metric("holdfast_consumer_running{consumer=\"file\"}"))
                    .isZero());
            assertThat(gateway.metric("holdfast_consumer_lag_pushes{consumer=\"file\"}"))
                    .isEqualTo(1);
            eventually(() -> assertThat(gateway.metric("holdfast_consumer_lag_seconds{consumer=\"file\"}"))
                    .isPositive());
        }
    }

    @Test
    void theOldestDeadLetterHasAnAge() {
        deliveries.behave(push -> Future.failedFuture(new PermanentFailure("no")));
        try (GatewayUnderTest gateway = start()) {
            gateway.push(envelope("client.created", 1));

            eventually(() -> assertThat(gateway.metric("holdfast_consumer_dead_letters{consumer=\"mine\"}"))
                    .isEqualTo(1));
            eventually(() -> assertThat(gateway.metric("holdfast_consumer_dead_letter_oldest_seconds"))
                    .isBetween(1e-3, 60.0));
            assertThat(gateway.metric("holdfast_consumer_dead_letter_bytes")).isPositive();
        }
    }

    @Test
    void anEventLoopThatIsHeldUpIsInTheHistogramOfTheirLag() throws InterruptedException {
        String slow = "holdfast_event_loop_lag_seconds_bucket{le=\"0.25\"}";
        String all = "holdfast_event_loop_lag_seconds_count";
        try (GatewayUnderTest gateway = start()) {
            CountDownLatch gate = new CountDownLatch(1);
            CountDownLatch over = new CountDownLatch(1);
            gateway.gateway().vertx().runOnContext(v -> {
                try {
                    over.await(500, TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                gate.countDown();
            });
            gate.await();

            eventually(() -> {
                Scrape scrape = scrape(gateway);
                assertThat(scrape.sum(all) - scrape.sum(slow)).isPositive();
            });
        }
    }

    @Test
    void readinessIsAGaugeWithItsConditions() {
        GatewaySettings settings = new GatewaySettings().withReserve("reserve: 1000TiB");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            Scrape scrape = scrape(gateway);

            assertThat(scrape.sum("holdfast_ready")).isZero();
            assertThat(scrape.sum("holdfast_ready_condition{condition=\"space\",required=\"true\"}"))
                    .isZero();
            assertThat(scrape.sum("holdfast_ready_condition{condition=\"storage\"}"))
                    .isEqualTo(1);
            assertThat(scrape.sum("holdfast_disk_reserve_bytes")).isEqualTo(1000.0 * (1L << 40));
            assertThat(scrape.sum("holdfast_build_info")).isEqualTo(1);
        }
    }

    @Test
    void whatIsRefusedOrLostIsCountedByTheCausesOfTheLedger() {
        try (GatewayUnderTest gateway = start()) {
            gateway.send(request(bytes(envelope("client.created", 1))));
            gateway.send(signed(envelope("topic.made", 2)));

            eventually(() -> assertThat(gateway.metric("holdfast_ledger_entries_total{cause=\"unsubscribed\"}"))
                    .isEqualTo(1));
            assertThat(gateway.metric("holdfast_ledger_entries_total{cause=\"signature\"}"))
                    .isEqualTo(1);
        }
    }

    /** What begins with thousands increases by nothing for a scraper, and an alert says nothing. */
    @Test
    void whatMayBeLostIsCountedFromZeroOn() {
        try (GatewayUnderTest gateway = start()) {
            String text = gateway.management("/metrics").body();

            for (String cause :
                    List.of("given-up", "replay-given-up", "journal-push-lost", "dead-letter-evicted-age")) {
                assertThat(text).contains("holdfast_ledger_entries_total{cause=\"" + cause + "\"} 0");
            }
            for (String cause : List.of("given-up", "replay-given-up")) {
                assertThat(text)
                        .contains("holdfast_consumer_given_up_total{cause=\"" + cause + "\",consumer=\"mine\"} 0");
            }
        }
    }

    /** The suffixes of https://prometheus.io/docs/practices/naming/, and help for each. */
    @Test
    void namesFollowTheConventions() {
        try (GatewayUnderTest gateway = start()) {
            gateway.push(envelope("client.created", 1));
            String text = gateway.management("/metrics").body();
            List<String> types = text.lines()
                    .filter(line -> line.startsWith("# TYPE holdfast_"))
                    .map(line -> line.substring("# TYPE ".length()))
                    .toList();

            assertThat(types).isNotEmpty().allSatisfy(type -> {
                String name = type.substring(0, type.indexOf(' '));
                assertThat(name).matches("[a-z]+(_[a-z]+)*");
                assertThat(name.endsWith("_total")).isEqualTo(type.endsWith(" counter"));
                assertThat(text).containsPattern("# HELP " + name + " \\S+");
            });
        }
    }
}
