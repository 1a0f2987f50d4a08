package dev.holdfast.gateway;

import static dev.holdfast.Eventually.until;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pushes as they are accepted, as server-sent events. */
@Timeout(60)
class TapTest {
    /** Above what the kernel takes for a reader that reads nothing, and the gateway beside it. */
    private static final int FLOOD = 150;

    @TempDir
    Path directory;

    private final GatewaySettings settings = new GatewaySettings();

    @Test
    void whoWatchesSeesEachPushAsItIsAcceptedAndNoneOfThoseBefore() {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory);
                TapStream before = TapStream.open(gateway, "")) {
            gateway.push(envelope("client.created", 1));
            // Answered before it is shown: whoever comes in between may still see it.
            assertThat(before.next().id()).isEqualTo("1");
            try (TapStream tap = TapStream.open(gateway, "")) {
                assertThat(tap.head())
                        .startsWith("HTTP/1.1 200")
                        .contains("content-type: text/event-stream", "cache-control: no-store");
                gateway.push(envelope("client.updated", 2));
                gateway.push("broken");

                TapStream.Event push = tap.next();
                assertThat(push.name()).isEqualTo("push");
                assertThat(push.id()).isEqualTo("2");
                assertThat(push.data().getMap())
                        .containsEntry("seq", 2)
                        .containsEntry("event", "client.updated")
                        .containsEntry("id", "sub_ent-1_1700000000")
                        .containsEntry("enterprise", "ent-1")
                        .containsEntry("createdAt", "1700000000")
                        .containsEntry("endpoint", "default")
                        .containsEntry("late", false)
                        .doesNotContainKey("body");
                assertThat(tap.next().data().getString("event")).isEqualTo("push.unreadable");
            }
        }
    }

    @Test
    void anEventAnEnterpriseAndAnEndpointNarrowItAndBodiesComeWhereTheyAreAskedFor() {
        settings.endpoint("default", "/webhook", "Service-Signature", GatewayUnderTest.SECRET);
        settings.endpoint("other", "/other", "Service-Signature", GatewayUnderTest.SECRET);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory);
                TapStream tap =
                        TapStream.open(gateway, "?event=conversation.*&enterprise=mine&endpoint=default&body=true")) {
            String wanted = envelope("conversation.closed", "mine", 4);
            byte[] elsewhere = GatewayUnderTest.bytes(envelope("conversation.closed", "mine", 3));
            gateway.push(envelope("client.updated", "mine", 1));
            gateway.push(envelope("conversation.closed", "yours", 2));
            gateway.send(GatewayUnderTest.requestTo(
                    "/other", elsewhere, "Service-Signature: " + GatewayUnderTest.sign(elsewhere)));
            gateway.push(wanted);

            JsonObject first = tap.next().data();
            assertThat(first.getLong("seq")).isEqualTo(4);
            assertThat(Base64.getDecoder().decode(first.getString("body")))
                    .asString()
                    .isEqualTo(wanted);
        }
    }

    @Test
    void aReaderThatReadsNothingLosesPushesIsToldHowManyAndHoldsNobodyUp() {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory);
                TapStream slow = TapStream.open(gateway, "?body=true");
                TapStream quick = TapStream.open(gateway, "")) {
            String padding = "x".repeat(200_000);
            for (int n = 0; n < FLOOD; n++) {
                assertThat(gateway.push("{\"event\":\"big.one\",\"n\":" + n + ",\"p\":\"" + padding + "\"}")
                                .status())
                        .isEqualTo(200);
                assertThat(quick.next().id()).isEqualTo(String.valueOf(n + 1));
            }
            List<Long> seen = new ArrayList<>();
            long dropped = 0;
            while (seen.size() + dropped < FLOOD) {
                TapStream.Event event = slow.next();
                if (event.name().equals("dropped")) {
                    dropped += event.data().getLong("count");
                } else {
                    seen.add(event.data().getLong("seq"));
                }
            }
            assertThat(dropped).isPositive();
            assertThat(seen).isSorted().doesNotHaveDuplicates().hasSize((int) (FLOOD - dropped));
            gateway.push(envelope("client.updated", 1));
            assertThat(slow.next().data().getLong("seq")).isEqualTo(FLOOD + 1L);
        }
    }

    @Test
    void whatGoesBeyondTheRateIsLeftOutAndCounted() {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory);
                TapStream tap = TapStream.open(gateway, "?rate=1")) {
            // All in one segment of a second at least once: the next one begins with the first push after it, which is
            // seen.
            int sent = 0;
            long dropped = 0;
            int seen = 0;
            while ((dropped == 0 || seen < 2) && sent < 400) {
                for (int n = 0; n < 20; n++) {
                    gateway.push(envelope("client.updated", ++sent));
                }
                TapStream.Event event = tap.next();
                seen += event.name().equals("push") ? 1 : 0;
                dropped += event.name().equals("dropped") ? event.data().getLong("count") : 0;
            }
            while (seen + dropped < sent) {
                TapStream.Event event = tap.next();
                seen += event.name().equals("push") ? 1 : 0;
                dropped += event.name().equals("dropped") ? event.data().getLong("count") : 0;
            }
            assertThat(seen + dropped).isEqualTo(sent);
            assertThat(seen).isGreaterThan(1);
        }
    }

    @Test
    void aBodyThatIsTooLongForTheStreamStaysOutOfIt() {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory);
                TapStream tap = TapStream.open(gateway, "?body=true")) {
            String body = "{\"event\":\"big.one\",\"p\":\"" + "x".repeat(300_000) + "\"}";
            gateway.push(body);

            assertThat(tap.next().data().getMap())
                    .containsEntry("bytes", body.length())
                    .doesNotContainKey("body");
        }
    }

    @Test
    void aNinthReaderIsToldThatThereAreEnoughUntilOneGoes() {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            List<TapStream> eight = new ArrayList<>();
            for (int n = 0; n < 8; n++) {
                eight.add(TapStream.open(gateway, ""));
            }
            HttpAnswer ninth = gateway.management("/api/v1/tap");
            assertThat(ninth.status()).isEqualTo(503);
            assertThat(new JsonObject(ninth.body()).getString("detail"))
                    .isEqualTo("found 8 who watch already, expected fewer than 8");

            eight.remove(0).close();
            until(() -> {
                try (TapStream again = TapStream.open(gateway, "")) {
                    return again.head().startsWith("HTTP/1.1 200");
                }
            });
            eight.forEach(TapStream::close);
        }
    }

    @Test
    void theStreamEndsInGoodOrderWhenTheGatewayStops() {
        TapStream tap;
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            tap = TapStream.open(gateway, "");
            gateway.push(envelope("client.updated", 1));
            // Answered before it is shown: a gateway that stops at once may show it no more.
            assertThat(tap.next().id()).isEqualTo("1");
        }
        try (tap) {
            assertThat(tap.isAtItsEnd()).isTrue();
        }
    }
}
