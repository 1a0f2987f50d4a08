package dev.holdfast.process;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Which of the simulated platform's pushes stay in order: five lanes that never end, and one for each client. */
final class LaneKey {
    /** For the configuration. */
    static final String ORDER_BY = "[\"/conversation/invented/name\", \"/client/invented/subject\"]";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonPointer NAME = JsonPointer.compile("/conversation/invented/name");
    private static final JsonPointer SUBJECT = JsonPointer.compile("/client/invented/subject");

    private LaneKey() {}

    static String of(byte[] body) {
        try {
            JsonNode push = JSON.readTree(body);
            JsonNode name = push.at(NAME);
            return name.isMissingNode() ? "client " + push.at(SUBJECT).asText() : name.asText();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
