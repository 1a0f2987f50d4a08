package dev.holdfast.receiver;

import dev.holdfast.quarantine.Quarantine;
import dev.holdfast.quarantine.QuarantinedRequest;
import dev.holdfast.quarantine.QuarantinedRequest.Cause;
import dev.holdfast.quarantine.QuarantinedRequest.Header;
import dev.holdfast.signature.SignatureScheme;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What becomes of a request whose signature did not match, beside its answer: it is kept in the quarantine, without credentials,
 * and the operator is told. Any thread.
 */
final class RefusedSignatures {
    /** Headers that let somebody in somewhere, unless they speak of a signature: that may be the one looked for. */
    private static final Pattern CREDENTIAL =
            Pattern.compile(".*(authorization|cookie|passw|secret|credential|session|api-?key|token|-auth|jwt).*");

    private static final Pattern SIGNATURE = Pattern.compile(".*(sign|hmac|digest|hash|sha1).*");

    private final Quarantine quarantine;
    private final InstantSource clock;
    private final SignatureAlarm alarm;

    RefusedSignatures(Quarantine quarantine, InstantSource clock) {
        this.quarantine = quarantine;
        this.clock = clock;
        this.alarm = new SignatureAlarm(clock, System::nanoTime);
    }

    /** One that was read. */
    void refused(HttpServerRequest request, Endpoint endpoint, String address, Cause cause, byte[] body) {
        quarantine.keep(body.length, () -> quarantined(request, endpoint, address, cause, body));
        alarm.refused(endpoint, cause, request.headers());
    }

    /** One that was refused at its head: there was no room for its body. */
    void unread(HttpServerRequest request, Endpoint endpoint, ClaimedSignature signature) {
        quarantine.unread();
        alarm.refused(endpoint, Objects.requireNonNullElse(signature.flaw(), Cause.MISMATCH), request.headers());
    }

    SignatureAlarm alarm() {
        return alarm;
    }

    private QuarantinedRequest quarantined(
            HttpServerRequest request, Endpoint endpoint, String address, Cause cause, byte[] body) {
        return new QuarantinedRequest(
                QuarantinedRequest.UNKEPT,
                clock.millis(),
                endpoint.name(),
                cause,
                address,
                Objects.requireNonNullElse(request.query(), ""),
                withoutCredentials(request.headers(), endpoint.signatureHeader()),
                body);
    }

    private static List<Header> withoutCredentials(MultiMap headers, String signatureHeader) {
        List<Header> kept = new ArrayList<>(headers.size());
        for (Map.Entry<String, String> header : headers) {
            String name = header.getKey();
            boolean signature =
                    name.equalsIgnoreCase(signatureHeader) && SignatureScheme.isWellFormed(header.getValue());
            if (signature || !isCredential(name)) {
                kept.add(new Header(name, header.getValue()));
            }
        }
        return kept;
    }

    private static boolean isCredential(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return CREDENTIAL.matcher(lower).matches() && !SIGNATURE.matcher(lower).matches();
    }
}
