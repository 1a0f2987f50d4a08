package dev.holdfast.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * JSON pointers that are looked up in a text that is known to be JSON. A look-up reads no further than to the first
 * value that it finds, since it happens for each push. Immutable.
 */
public final class Pointers {
    private static final JsonFactory JSON = new JsonFactory();

    private final List<List<Step>> pointers;

    /**
     * A step of a pointer: the name of an object's member in UTF-8, and the index of an array's element, negative if
     * the step is no index.
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Step(byte[] name, int index) {}

    /** @param pointers in the form of RFC 6901 */
    public Pointers(List<String> pointers) {
        this.pointers = pointers.stream().map(Pointers::steps).toList();
    }

    private static List<Step> steps(String pointer) {
        List<Step> steps = new ArrayList<>();
        for (JsonPointer rest = JsonPointer.compile(pointer); !rest.matches(); rest = rest.tail()) {
            steps.add(new Step(rest.getMatchingProperty().getBytes(UTF_8), rest.getMatchingIndex()));
        }
        return steps;
    }

    /**
     * The value, as text, of the first pointer that leads to a string, number or boolean; null if none does.
     *
     * @throws JsonSyntaxException when the text isn't JSON, as far as it was read
     */
    public @Nullable String find(byte[] text) throws JsonSyntaxException {
        for (List<Step> pointer : pointers) {
            JsonScanner json = new JsonScanner(text);
            String found = follow(pointer, json) ? scalar(json) : null;
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static boolean follow(List<Step> pointer, JsonScanner json) throws JsonSyntaxException {
        for (Step step : pointer) {
            boolean found =
                    switch (json.peek()) {
                        case '{' -> enterMember(step.name, json);
                        case '[' -> enterElement(step.index, json);
                        default -> false;
                    };
            if (!found) {
                return false;
            }
        }
        return true;
    }

    private static boolean enterMember(byte[] name, JsonScanner json) throws JsonSyntaxException {
        boolean more = json.enterObject();
        while (more && !json.isNamed(name)) {
            json.jump();
            more = json.next();
        }
        return more;
    }

    private static boolean enterElement(int index, JsonScanner json) throws JsonSyntaxException {
        boolean more = json.enterArray();
        for (int i = 0; more && i != index; i++) {
            json.jump();
            more = json.next();
        }
        return more;
    }

    /** The value that comes next as text if it is a string, number or boolean, else null. */
    private static @Nullable String scalar(JsonScanner json) throws JsonSyntaxException {
        return switch (json.peek()) {
            case '"' -> json.string();
            case '{', '[', 'n' -> null;
            case 't', 'f' -> json.written();
            default -> inJavasSpelling(json.written());
        };
    }

    /** Whether Java writes it as it is: an integer, but for the zero with a sign. */
    private static boolean isPlainInteger(String number) {
        return number.chars().skip(number.charAt(0) == '-' ? 1 : 0).allMatch(digit -> digit >= '0' && digit <= '9')
                && !number.equals("-0");
    }

    private static String inJavasSpelling(String number) throws JsonSyntaxException {
        if (isPlainInteger(number)) {
            return number;
        }
        try (JsonParser json = JSON.createParser(number)) {
            json.nextToken();
            return json.getNumberValue().toString();
        } catch (IOException e) {
            throw new JsonSyntaxException("found a number that Jackson doesn't take");
        }
    }
}
