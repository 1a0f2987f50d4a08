package dev.holdfast.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.config.Secret;
import dev.holdfast.quarantine.QuarantinedRequest.Cause;
import dev.holdfast.signature.LiveSecrets;
import io.vertx.core.MultiMap;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What the operator is told of refused signatures. */
class SignatureAlarmTest {
    private static final String SIGNATURE = "0123456789abcdef0123456789ABCDEF01234567";

    private final AtomicLong second = new AtomicLong(1_700_000_000);
    private final AtomicLong putBack = new AtomicLong();
    private final SignatureAlarm alarm = new SignatureAlarm(
            () -> Instant.ofEpochSecond(second.get() - putBack.get()), () -> TimeUnit.SECONDS.toNanos(second.get()));
    private final Endpoint endpoint = new Endpoint(
            "default",
            "/webhook",
            "Service-Signature",
            new LiveSecrets(List.of(new Secret("0123456789abcdef-strong"))));

    private static MultiMap headers(String... namesAndValues) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        return headers;
    }

    private void refuse(int times, Cause cause, String... headers) {
        for (int i = 0; i < times; i++) {
            alarm.refused(endpoint, cause, headers(headers));
        }
    }

    private static List<String> told(LogLines log) {
        return log.lines().stream()
                .filter(line -> line.contains(SignatureAlarm.class.getName()))
                .toList();
    }

    @Test
    void aClockThatIsPutBackByHoursKeepsNoLineBack() {
        try (LogLines log = LogLines.atWarn()) {
            refuse(1, Cause.MISMATCH);
            putBack.set(5 * 3600);
            second.addAndGet(60);
            refuse(1, Cause.MISMATCH);

            assertThat(told(log)).hasSize(2);
        }
    }

    @Test
    void aWrongSecretIsToldAtOnceAndThenOnceAMinuteWithHowManyAndSinceWhen() {
        try (LogLines log = LogLines.atWarn()) {
            refuse(211, Cause.MISMATCH);
            assertThat(told(log))
                    .singleElement()
                    .asString()
                    .contains(
                            "1 push at `default` was refused since 2023-11-14T22:13:20Z and would match none of its 1 secret:"
                                    + " was the secret changed at the platform?");

            second.addAndGet(60);
            refuse(1, Cause.MISMATCH);

            assertThat(told(log)).hasSize(2);
            assertThat(log.text())
                    .contains(
                            "212 pushes at `default` were refused since 2023-11-14T22:13:20Z and would match none of its"
                                    + " 1 secret: was the secret changed at the platform?");
        }
    }

    @Test
    void manyWithOneCauseAreANoticeAndAFewStraysAreNot() {
        refuse(9, Cause.MISMATCH);
        refuse(10, Cause.DOUBLED);

        assertThat(alarm.notices())
                .containsExactly("10 pushes at `default` were refused since 2023-11-14T22:13:20Z, the last at"
                        + " 2023-11-14T22:13:20Z, and had header"
                        + " Service-Signature more than once: does something on the way add it?");
    }

    @Test
    void aHeaderThatHoldsWhatLooksLikeASignatureIsNamed() {
        refuse(9, Cause.MISSING, "Content-Type", "application/json");
        refuse(1, Cause.MISSING, "Content-Type", "application/json", "X-Brand-Signature", SIGNATURE);

        assertThat(alarm.notices())
                .containsExactly(
                        "10 pushes at `default` were refused since 2023-11-14T22:13:20Z, the last at"
                                + " 2023-11-14T22:13:20Z, and had no header"
                                + " Service-Signature: header X-Brand-Signature holds what looks like one: is signature-header right?");
    }

    @Test
    void aHostileHeaderNameIsNotRepeated() {
        refuse(10, Cause.MISSING, "X-\u001b[2J", SIGNATURE, "X".repeat(65), SIGNATURE);

        assertThat(alarm.notices()).singleElement().asString().contains("had no header Service-Signature: is");
    }

    /** Whether it still goes on is what an operator wants to know first. */
    @Test
    void aNoticeSaysWhenTheLastWas() {
        refuse(9, Cause.MALFORMED);
        second.addAndGet(60);
        refuse(1, Cause.MALFORMED);
        second.addAndGet(600);

        assertThat(alarm.notices())
                .singleElement()
                .asString()
                .startsWith("10 pushes at `default` were refused since 2023-11-14T22:13:20Z, the last at"
                        + " 2023-11-14T22:14:20Z, and ");
    }

    @Test
    void aNoticeEndsWhenNoneCameForAnHour() {
        refuse(10, Cause.MALFORMED);
        second.addAndGet(3600);
        assertThat(alarm.notices()).hasSize(1);

        second.addAndGet(1);
        assertThat(alarm.notices()).isEmpty();

        refuse(1, Cause.MALFORMED);
        assertThat(alarm.notices()).isEmpty();
    }

    @Test
    void aNoticeEndsWhenTheSecretsAreChanged() {
        refuse(10, Cause.MISMATCH);

        alarm.reset();

        assertThat(alarm.notices()).isEmpty();
    }
}
