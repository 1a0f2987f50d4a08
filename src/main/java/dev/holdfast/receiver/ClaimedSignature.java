package dev.holdfast.receiver;

import dev.holdfast.quarantine.QuarantinedRequest.Cause;
import dev.holdfast.signature.LiveSecrets;
import dev.holdfast.signature.SignatureScheme;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request says its signature is.
 *
 * @param value something that has the form of a signature; empty when there is none
 * @param flaw why there is none; null when there is
 */
record ClaimedSignature(String value, @Nullable Cause flaw) {
    /** @param values those of the endpoint's signature header */
    static ClaimedSignature of(List<String> values) {
        if (values.isEmpty()) {
            return new ClaimedSignature("", Cause.MISSING);
        }
        if (values.size() > 1) {
            return new ClaimedSignature("", Cause.DOUBLED);
        }
        String value = values.get(0);
        return SignatureScheme.isWellFormed(value)
                ? new ClaimedSignature(value, null)
                : new ClaimedSignature("", Cause.MALFORMED);
    }

    boolean isWellFormed() {
        return flaw == null;
    }

    /** Why it is not that of these bytes; null when it is. */
    @Nullable
    Cause mismatch(byte[] body, LiveSecrets secrets) {
        if (flaw != null) {
            return flaw;
        }
        return secrets.matches(body, value) ? null : Cause.MISMATCH;
    }
}
