package dev.holdfast.delivery;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * JSON pointers (RFC 6901) that are looked up in a text that is known to be JSON, each no further than to the first place that it leads
 * to: this happens for each push. Immutable.
 */
final class Pointers {
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private final List<JsonPointer> pointers;

    Pointers(List<String> pointers) {
        this.pointers = pointers.stream().map(JsonPointer::compile).toList();
    }

    boolean isEmpty() {
        return pointers.isEmpty();
    }

    /**
     * What the first pointer that leads to a string, number or boolean leads to, as text; null when none does.
     *
     * @throws IOException when the text isn't JSON, as far as it was read
     */
    @Nullable
    String find(byte[] text) throws IOException {
        for (JsonPointer pointer : pointers) {
            try (JsonParser json = JSON.createParser(text)) {
                String found = follow(pointer, json) ? scalar(json) : null;
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    private static boolean follow(JsonPointer pointer, JsonParser json) throws IOException {
        json.nextToken();
        for (JsonPointer rest = pointer; !rest.matches(); rest = rest.tail()) {
            if (!enter(rest, json)) {
                return false;
            }
        }
        return true;
    }

    /** Goes to the member or element that the pointer begins with; false when there is none. */
    private static boolean enter(JsonPointer step, JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.START_OBJECT) {
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                json.nextToken();
                if (step.matchesProperty(name)) {
                    return true;
                }
                json.skipChildren();
            }
        } else if (json.currentToken() == JsonToken.START_ARRAY) {
            for (int i = 0; json.nextToken() != JsonToken.END_ARRAY; i++) {
                if (step.matchesElement(i)) {
                    return true;
                }
                json.skipChildren();
            }
        }
        return false;
    }

    private static @Nullable String scalar(JsonParser json) throws IOException {
        JsonToken token = json.currentToken();
        if (!token.isScalarValue() || token == JsonToken.VALUE_NULL) {
            return null;
        }
        return token.isNumeric() ? json.getNumberValue().toString() : json.getText();
    }
}
