package dev.holdfast.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.SetClock;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class PushSourceTest {
    private static final String SECRET = "sécret";
    private static final long NOW = 1_700_000_000L;
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void theEnvelopeHasTheInterfacesFieldsInItsOrder() throws IOException {
        SimulatedPush push = source(Script.standard(), 1).next();
        JsonNode envelope = parsed(push);

        assertThat(envelope.fieldNames())
                .toIterable()
                .containsExactly("id", "event", "enterprise_token", "created_at", "conversation");
        assertThat(envelope.get("id").textValue()).isEqualTo("sub_simulated_" + NOW);
        assertThat(envelope.get("created_at").isIntegralNumber()).isTrue();
        assertThat(envelope.get("created_at").longValue()).isEqualTo(NOW);
        assertThat(push.id()).isEqualTo("sub_simulated_" + NOW);
        assertThat(push.event()).isEqualTo(envelope.get("event").textValue());
    }

    @Test
    void aConversationHasTheFourPublishedFieldsAndMarksAllOthersAsInvented() throws IOException {
        JsonNode conversation = parsed(source(Script.standard(), 1).next()).get("conversation");

        assertThat(conversation.fieldNames())
                .toIterable()
                .containsExactly("enterprise_id", "dev_client_id", "page_from_url", "search_engine", "invented");
        assertThat(conversation.get("enterprise_id").isIntegralNumber()).isTrue();
        assertThat(conversation.get("page_from_url").isTextual()).isTrue();
        assertThat(conversation.get("search_engine").isTextual()).isTrue();
    }

    @Test
    void aDevClientIdIsNowNullAndNowSet() throws IOException {
        PushSource source = source(withEvents("conversation.created"), 1);
        Set<String> types = new HashSet<>();
        for (int i = 0; i < 6; i++) {
            types.add(parsed(source.next())
                    .at("/conversation/dev_client_id")
                    .getNodeType()
                    .name());
        }
        assertThat(types).containsExactlyInAnyOrder("NULL", "STRING", "NUMBER");
    }

    @Test
    void clientDataIsInventedAndStandsInTheConfiguredField() throws IOException {
        Script script = new Script(List.of("client.created"), "t", "customer", 0, 0);
        JsonNode envelope = parsed(source(script, 1).next());

        assertThat(envelope.fieldNames())
                .toIterable()
                .containsExactly("id", "event", "enterprise_token", "created_at", "customer");
        assertThat(envelope.get("customer").fieldNames()).toIterable().containsExactly("invented");
    }

    @Test
    void allEightTopicsTakeTurns() {
        Script script = new Script(Script.allEvents("guest.changed"), "t", "client", 0, 0);
        PushSource source = source(script, 1);

        assertThat(Stream.generate(source::next).limit(8).map(SimulatedPush::event))
                .containsExactlyInAnyOrder(
                        "conversation.created",
                        "conversation.closed",
                        "conversation.updated",
                        "conversation.scheduled",
                        "client.created",
                        "client.updated",
                        "client.deleted",
                        "guest.changed");
    }

    @Test
    void bodiesHoldRawNonAsciiAndEmoji() {
        PushSource source = source(Script.standard(), 1);
        String all = Stream.generate(source::next)
                .limit(15)
                .map(push -> push.body().toString(StandardCharsets.UTF_8))
                .reduce("", String::concat);

        assertThat(all).contains("王小明", "🌻", "👩‍👩‍👧").doesNotContain("\\u");
    }

    @Test
    void everyBodyDiffersFromEveryOtherAlsoAcrossRuns() {
        Set<Buffer> bodies = new HashSet<>();
        for (long seed = 1; seed <= 5; seed++) {
            PushSource source = source(Script.standard(), seed);
            for (int i = 0; i < 2000; i++) {
                bodies.add(source.next().body());
            }
        }
        assertThat(bodies).hasSize(10_000);
    }

    @Test
    void theSameSeedMakesTheSamePushes() {
        PushSource one = source(Script.standard(), 42);
        PushSource other = source(Script.standard(), 42);

        assertThat(Stream.generate(one::next).limit(20))
                .containsExactlyElementsOf(
                        Stream.generate(other::next).limit(20).toList());
    }

    @Test
    void theSignatureIsOverTheRawBodyFollowedByTheSecret() {
        SimulatedPush push = source(Script.standard(), 1).next();

        assertThat(push.signature())
                .isEqualTo(new PushBody(push.body()).signedWith(SECRET))
                .matches("[0-9a-f]{40}");
    }

    @Test
    void aBodyIsFilledUpToTheSizeAskedFor() throws IOException {
        for (int size : new int[] {1000, 3072, 200_000}) {
            SimulatedPush push = source(filledUpTo(size), 1).next();
            assertThat(push.body().length()).isEqualTo(size);
            assertThat(parsed(push).at("/conversation/invented/padding").textValue())
                    .isNotEmpty();
        }
    }

    @Test
    void aBodyIsNeverCutToTheSizeAskedFor() throws IOException {
        SimulatedPush push = source(filledUpTo(10), 1).next();

        assertThat(parsed(push).get("event").textValue()).isEqualTo("conversation.created");
    }

    @Test
    void aWrongSignatureDiffersInOneDigit() {
        SimulatedPush push = source(Script.standard(), 1).next(Fault.WRONG_SIGNATURE);
        String right = new PushBody(push.body()).signedWith(SECRET);

        assertThat(push.signature()).hasSize(40).isNotEqualTo(right).matches("[0-9a-f]+");
    }

    @Test
    void aDuplicateIsAnEarlierPushByteForByte() {
        PushSource source = source(Script.standard(), 1);
        List<SimulatedPush> earlier = Stream.generate(source::next).limit(100).toList();
        SimulatedPush duplicate = source.next(Fault.DUPLICATE);

        assertThat(duplicate.fault()).isEqualTo(Fault.DUPLICATE);
        assertThat(earlier).anySatisfy(push -> {
            assertThat(push.body()).isEqualTo(duplicate.body());
            assertThat(push.signature()).isEqualTo(duplicate.signature());
        });
    }

    @Test
    void theSameIdComesWithAnotherBody() throws IOException {
        SetClock clock = new SetClock(Instant.ofEpochSecond(NOW));
        PushSource source = new PushSource(Script.standard(), secret(), clock, 1);
        SimulatedPush first = source.next();
        clock.advance(Duration.ofMinutes(1));
        SimulatedPush second = source.next(Fault.SAME_ID);

        assertThat(second.id()).isEqualTo(first.id());
        assertThat(parsed(second).get("id").textValue()).isEqualTo(first.id());
        assertThat(parsed(second).get("created_at").longValue()).isEqualTo(NOW);
        assertThat(second.body()).isNotEqualTo(first.body());
        assertThat(second.signature()).isEqualTo(new PushBody(second.body()).signedWith(SECRET));
    }

    @Test
    void brokenJsonIsRightlySigned() {
        SimulatedPush push = source(Script.standard(), 1).next(Fault.BROKEN_JSON);

        assertThatThrownBy(() -> parsed(push)).isInstanceOf(JsonProcessingException.class);
        assertThat(push.signature()).isEqualTo(new PushBody(push.body()).signedWith(SECRET));
    }

    @Test
    void anUnknownEventIsNoneOfTheInterfacesAndTakesNoTurn() throws IOException {
        PushSource source = source(Script.standard(), 1);
        SimulatedPush unknown = source.next(Fault.UNKNOWN_EVENT);

        assertThat(parsed(unknown).get("event").textValue())
                .isEqualTo(unknown.event())
                .isNotIn(Script.standard().events());
        assertThat(source.next().event()).isEqualTo("conversation.created");
    }

    @Test
    void anOversizeBodyHasTheSizeAskedFor() throws IOException {
        Script script = new Script(Script.NAMED_EVENTS, "t", "client", 100, 300_001);
        SimulatedPush push = source(script, 1).next(Fault.OVERSIZE);

        assertThat(push.body().length()).isEqualTo(300_001);
        assertThat(parsed(push).isObject()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"DUPLICATE", "SAME_ID"})
    void whatNeedsAnEarlierPushIsHealthyAtFirst(Fault fault) {
        assertThat(source(Script.standard(), 1).next(fault).fault()).isNull();
    }

    @Test
    void faultsOccurAtTheirRateAndAllOfThem() {
        PushSource source = source(Script.standard(), 7);
        Faults faults = new Faults(List.of(Fault.values()), 0.2);
        List<Fault> drawn = Stream.generate(() -> Optional.ofNullable(source.draw(faults)))
                .limit(10_000)
                .flatMap(Optional::stream)
                .toList();

        assertThat(drawn).hasSizeBetween(1800, 2200).contains(Fault.values());
    }

    private static PushSource source(Script script, long seed) {
        return new PushSource(script, secret(), Clock.fixed(Instant.ofEpochSecond(NOW), ZoneOffset.UTC), seed);
    }

    private static byte[] secret() {
        return SECRET.getBytes(StandardCharsets.UTF_8);
    }

    private static Script filledUpTo(int size) {
        return new Script(Script.NAMED_EVENTS, "t", "client", size, 0);
    }

    private static Script withEvents(String... events) {
        return new Script(List.of(events), "t", "client", 0, 0);
    }

    private static JsonNode parsed(SimulatedPush push) throws IOException {
        return JSON.readTree(push.body().getBytes());
    }
}
