package dev.holdfast.consumer.http;

import dev.holdfast.consumer.RetryLater;
import dev.holdfast.push.PermanentFailure;
import io.netty.handler.codec.DateFormatter;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What an answer's status means for an attempt. Not for interim answers. */
final class ResponseClassifier {
    /** Statuses that are tried again. A 407 is a proxy's and says nothing of the push. */
    private static final Set<Integer> TEMPORARY = Set.of(407, 408, 425, 429);

    private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");
    /** Longest date that is parsed: Netty throws on a longer text. */
    private static final int LONGEST_DATE = 64;

    private ResponseClassifier() {}

    /** The failure of the attempt; null if the receiver took the push. */
    static @Nullable RuntimeException on(HttpClientResponse answer, TargetUrl target, InstantSource clock) {
        int status = answer.statusCode();
        if (status >= 200 && status < 300) {
            return null;
        }
        String message = target + " answered " + status + ", expected 2xx";
        return status >= 500 || TEMPORARY.contains(status)
                ? new RetryLater(message, retryAfter(answer.getHeader(HttpHeaders.RETRY_AFTER), clock))
                : new PermanentFailure(message);
    }

    /**
     * The delay of a Retry-After (RFC 9110, 10.2.3), which is in seconds or a date; zero if there is none or it is
     * nonsense.
     */
    static Duration retryAfter(@Nullable String value, InstantSource clock) {
        if (value == null || value.length() > LONGEST_DATE) {
            return Duration.ZERO;
        }
        if (SECONDS.matcher(value).matches()) {
            return Duration.ofSeconds(Long.parseLong(value));
        }
        Duration wait = Optional.ofNullable(DateFormatter.parseHttpDate(value))
                .map(date -> Duration.between(clock.instant(), date.toInstant()))
                .orElse(Duration.ZERO);
        return wait.isNegative() ? Duration.ZERO : wait;
    }
}
