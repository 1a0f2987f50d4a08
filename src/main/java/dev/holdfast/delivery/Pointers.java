package dev.holdfast.delivery;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * JSON pointers that are looked up in one pass through a text, of which nothing else is kept: this happens for each push, on
 * an event loop. What they find is what they would find in a tree of the whole: of a name that an object has twice, the last
 * one counts. Immutable.
 */
final class Pointers {
    private static final JsonFactory JSON = new JsonFactory();

    private final JsonPointer[] pointers;

    Pointers(List<String> pointers) {
        this.pointers = pointers.stream().map(JsonPointer::compile).toArray(JsonPointer[]::new);
    }

    boolean isEmpty() {
        return pointers.length == 0;
    }

    /** What the first pointer that leads to a string, number or boolean leads to, as text; null when none does. */
    @Nullable
    String find(byte[] text) throws IOException {
        @Nullable String[] found = new String[pointers.length];
        try (JsonParser json = JSON.createParser(text)) {
            json.nextToken();
            search(json, pointers, found);
        }
        return Arrays.stream(found).filter(Objects::nonNull).findFirst().orElse(null);
    }

    /** @param rest what is left to go of each pointer from the present value on; null for one that leads elsewhere */
    private static void search(JsonParser json, @Nullable JsonPointer[] rest, @Nullable String[] found)
            throws IOException {
        JsonToken token = json.currentToken();
        if (token == JsonToken.START_OBJECT) {
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                String field = name;
                json.nextToken();
                enter(json, step(rest, pointer -> pointer.matchesProperty(field)), found);
            }
        } else if (token == JsonToken.START_ARRAY) {
            for (int i = 0; json.nextToken() != JsonToken.END_ARRAY; i++) {
                int element = i;
                enter(json, step(rest, pointer -> pointer.matchesElement(element)), found);
            }
        } else if (token != JsonToken.VALUE_NULL) {
            for (int i = 0; i < rest.length; i++) {
                JsonPointer pointer = rest[i];
                if (pointer != null && pointer.matches()) {
                    found[i] = token.isNumeric() ? json.getNumberValue().toString() : json.getText();
                }
            }
        }
    }

    private static void enter(JsonParser json, @Nullable JsonPointer @Nullable [] rest, @Nullable String[] found)
            throws IOException {
        if (rest == null) {
            json.skipChildren();
            return;
        }
        for (int i = 0; i < rest.length; i++) {
            if (rest[i] != null) {
                found[i] = null;
            }
        }
        search(json, rest, found);
    }

    /** The pointers that lead on through one member, without the part that led there; null when there are none. */
    private static @Nullable JsonPointer @Nullable [] step(
            @Nullable JsonPointer[] rest, Predicate<JsonPointer> leadsOn) {
        @Nullable JsonPointer[] next = null;
        for (int i = 0; i < rest.length; i++) {
            JsonPointer pointer = rest[i];
            if (pointer != null && leadsOn.test(pointer)) {
                if (next == null) {
                    next = new JsonPointer[rest.length];
                }
                next[i] = pointer.tail();
            }
        }
        return next;
    }
}
