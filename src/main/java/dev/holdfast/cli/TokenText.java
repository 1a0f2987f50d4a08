package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.StringJoiner;

/** The management API's answer about the access token, in words. */
final class TokenText {
    private TokenText() {}

    static String of(JsonNode answer) {
        StringJoiner text = new StringJoiner(System.lineSeparator());
        text.add("state         " + answer.path("state").asText());
        if (answer.has("expiresAt")) {
            text.add("scope         " + answer.path("scope").asText());
            text.add("expires       " + answer.path("expiresAt").asText() + ", in "
                    + answer.path("expiresInSeconds").asText() + " s");
        }
        if (answer.has("failure")) {
            text.add("not exchanged " + answer.path("failure").asText());
        } else if (answer.has("lastFailure")) {
            JsonNode failure = answer.path("lastFailure");
            text.add("last failure  " + failure.path("during").asText() + " at "
                    + failure.path("at").asText() + ": "
                    + failure.path("message").asText());
        }
        if (answer.has("store")) {
            text.add("store         " + answer.path("store").asText());
        }
        return text.toString();
    }
}
