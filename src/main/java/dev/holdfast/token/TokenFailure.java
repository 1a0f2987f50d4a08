package dev.holdfast.token;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A failed request for a token. It has no cause and no stack trace, since the messages of the HTTP client and the JSON
 * parser quote URLs and bodies, which hold secrets.
 */
final class TokenFailure extends RuntimeException {
    private final FailureKind kind;
    private final int status;
    private final @Nullable Long code;
    private final String msg;

    /**
     * @param status HTTP status; 0 when none came
     * @param code of the service's envelope; null when none came
     * @param msg of the service's envelope, fit to be shown; empty when none came
     * @param detail fit to be shown; may be empty
     */
    TokenFailure(FailureKind kind, int status, @Nullable Long code, String msg, String detail) {
        super(message(kind, status, code, msg, detail), null, false, false);
        this.kind = kind;
        this.status = status;
        this.code = code;
        this.msg = msg;
    }

    /** A failure without an answer. */
    TokenFailure(FailureKind kind, String detail) {
        this(kind, 0, null, "", detail);
    }

    FailureKind kind() {
        return kind;
    }

    /** Whether the service refused the request itself, so that repeating it soon is probably no use. */
    boolean isRejection() {
        return kind == FailureKind.REJECTED;
    }

    /** For the API. */
    JsonObject json() {
        JsonObject json = new JsonObject().put("kind", kind.toString()).put("message", getMessage());
        if (status != 0) {
            json.put("status", status);
        }
        if (code != null) {
            json.put("code", code).put("msg", msg);
        }
        return json;
    }

    private static String message(FailureKind kind, int status, @Nullable Long code, String msg, String detail) {
        StringBuilder text = new StringBuilder(kind.toString());
        if (!detail.isEmpty()) {
            text.append(": ").append(detail);
        }
        if (status != 0 && status != 200 && kind != FailureKind.BAD_STATUS) {
            text.append(", status ").append(status);
        }
        if (code != null) {
            text.append(", service code ")
                    .append(code)
                    .append(", msg \"")
                    .append(msg)
                    .append('"');
        }
        return text.toString();
    }
}
