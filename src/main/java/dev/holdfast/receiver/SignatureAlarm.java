package dev.holdfast.receiver;

import dev.holdfast.quarantine.QuarantinedRequest.Cause;
import dev.holdfast.signature.SignatureScheme;
import io.vertx.core.MultiMap;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the operator that requests are refused at an endpoint, and what may be the mistake: in the log at once when it begins, then a
 * line a minute at most, whoever sends however many; and as a notice when there are many with one cause. It is over when none came for
 * an hour, or the endpoints were changed. Any thread.
 */
final class SignatureAlarm {
    private static final Logger LOG = LoggerFactory.getLogger(SignatureAlarm.class);
    /** So many with one cause are a notice. */
    private static final long MANY = 10;

    private static final long LINE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long OVER_NANOS = TimeUnit.HOURS.toNanos(1);
    /** So many heads are looked through for another header with a signature, and then one in so many. */
    private static final int LOOKED_AT = 100;
    /** What a stranger may put into a line of the log. */
    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private record Case(String endpoint, Cause cause) {}

    /** The refusals of one endpoint with one cause. */
    private static final class Series {
        private final Endpoint endpoint;
        private final Cause cause;
        private final long since;
        private long count;
        /** By {@link System#nanoTime}, as the next: a clock that is put back would have it say nothing for as long. */
        private long last;

        private long nextLine;
        /** A header that looks as if it were the signature's; empty: none was seen. */
        private String otherHeader = "";

        Series(Endpoint endpoint, Cause cause, long since, long now) {
            this.endpoint = endpoint;
            this.cause = cause;
            this.since = since;
            this.nextLine = now;
        }

        /**
         * In words, such as: 212 pushes at `default` were refused since …
         *
         * @param until when the last was; empty: now
         */
        String text(String until) {
            return (count == 1 ? "1 push" : count + " pushes") + " at `" + endpoint.name() + "` "
                    + (count == 1 ? "was" : "were") + " refused since " + seconds(since) + until + " and " + mistake();
        }

        private String mistake() {
            String header = endpoint.signatureHeader();
            return switch (cause) {
                case MISMATCH -> "would match none of its " + secrets() + ": was the secret changed at the platform?";
                case MISSING ->
                    otherHeader.isEmpty()
                            ? "had no header " + header + ": is signature-header right?"
                            : "had no header " + header + ": header " + otherHeader
                                    + " holds what looks like one: is signature-header right?";
                case MALFORMED ->
                    "had no signature in header " + header
                            + ", which holds something else than 40 hexadecimal digits: is signature-header right?";
                case DOUBLED -> "had header " + header + " more than once: does something on the way add it?";
            };
        }

        private String secrets() {
            int secrets = endpoint.secrets().count();
            return secrets + (secrets == 1 ? " secret" : " secrets");
        }
    }

    private final InstantSource clock;
    private final LongSupplier nanoTime;
    /** As many as there are endpoints and causes at most. */
    private final Map<Case, Series> running = new HashMap<>();

    SignatureAlarm(InstantSource clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    void refused(Endpoint endpoint, Cause cause, MultiMap headers) {
        String line = count(endpoint, cause, headers);
        if (!line.isEmpty()) {
            LOG.atWarn().addKeyValue("endpoint", endpoint.name()).log("{}", line);
        }
    }

    /** The line that is due; empty: none. */
    private synchronized String count(Endpoint endpoint, Cause cause, MultiMap headers) {
        long now = nanoTime.getAsLong();
        Case which = new Case(endpoint.name(), cause);
        Series series = running.get(which);
        if (series == null || isOver(series, now)) {
            series = new Series(endpoint, cause, clock.millis(), now);
            running.put(which, series);
        }
        series.count++;
        series.last = now;
        if (cause == Cause.MISSING
                && series.otherHeader.isEmpty()
                && (series.count <= LOOKED_AT || series.count % LOOKED_AT == 0)) {
            series.otherHeader = likelyHeader(headers);
        }
        if (now - series.nextLine < 0) {
            return "";
        }
        series.nextLine = now + LINE_NANOS;
        return series.text("");
    }

    private static Instant seconds(long millis) {
        return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS);
    }

    private static boolean isOver(Series series, long now) {
        return now - series.last > OVER_NANOS;
    }

    /** The name of a header whose value has the form of a signature; empty: there is none. */
    private static String likelyHeader(MultiMap headers) {
        for (Map.Entry<String, String> header : headers) {
            if (SignatureScheme.isWellFormed(header.getValue())
                    && PLAIN_NAME.matcher(header.getKey()).matches()) {
                return header.getKey();
            }
        }
        return "";
    }

    /** What an operator should know of at the moment, a line each. */
    synchronized List<String> notices() {
        long now = nanoTime.getAsLong();
        List<String> notices = new ArrayList<>();
        for (Series series : running.values()) {
            if (series.count >= MANY && !isOver(series, now)) {
                long last = clock.millis() - TimeUnit.NANOSECONDS.toMillis(now - series.last);
                notices.add(series.text(", the last at " + seconds(last) + ","));
            }
        }
        notices.sort(null);
        return notices;
    }

    /** The endpoints have changed: whatever was the mistake may be corrected. */
    synchronized void reset() {
        running.clear();
    }
}
