package dev.holdfast.simulator;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * The token endpoint's envelope (interface, section 2.1). The interface shows {@code code} 0 only; all others here are
 * invented.
 *
 * @param data null unless {@code code} is 0
 */
record TokenAnswer(int code, String msg, @Nullable JsonObject data) {
    /** A required parameter is missing, empty or there twice. */
    static final int PARAMETER = 40001;
    /** An unknown {@code grantType}. */
    static final int GRANT_TYPE = 40002;
    /** No such application, or not its secret. */
    static final int APPLICATION = 40101;
    /** A code that was never issued, or is used up. */
    static final int CODE = 40102;

    static final int CODE_EXPIRED = 40103;
    /** A refresh token that was never issued, or was replaced. */
    static final int REFRESH_TOKEN = 40104;

    /** Another path or method; with status 404. */
    static final int PATH = 40400;
    /** A fault on request; with status 500. */
    static final int INTERNAL = 50000;

    static TokenAnswer refusal(int code, String msg) {
        return new TokenAnswer(code, msg, null);
    }

    JsonObject json() {
        JsonObject json = new JsonObject().put("code", code).put("msg", msg);
        return data == null ? json : json.put("data", data);
    }
}
