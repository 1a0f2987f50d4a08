package dev.holdfast.delivery;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.filter.FilteringParserDelegate;
import com.fasterxml.jackson.core.filter.JsonPointerBasedFilter;
import com.fasterxml.jackson.core.filter.TokenFilter.Inclusion;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * JSON pointers that are looked up in a text, each no further than to the first place that it leads to: this happens for each
 * push. Immutable.
 */
final class Pointers {
    private static final JsonFactory JSON = new JsonFactory();

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
            String found = find(text, pointer);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static @Nullable String find(byte[] text, JsonPointer pointer) throws IOException {
        try (JsonParser json = new FilteringParserDelegate(
                JSON.createParser(text), new JsonPointerBasedFilter(pointer), Inclusion.ONLY_INCLUDE_ALL, false)) {
            JsonToken token = json.nextToken();
            if (token == null || !token.isScalarValue() || token == JsonToken.VALUE_NULL) {
                return null;
            }
            return token.isNumeric() ? json.getNumberValue().toString() : json.getText();
        }
    }
}
