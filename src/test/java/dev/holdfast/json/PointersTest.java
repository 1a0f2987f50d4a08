package dev.holdfast.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PointersTest {
    private static @Nullable String find(String text, String... pointers) throws JsonSyntaxException {
        return new Pointers(List.of(pointers)).find(text.getBytes(UTF_8));
    }

    @Property
    void theyFindWhatTheyWouldFindInATreeOfTheWhole(
            @ForAll("objects") String text, @ForAll("pointers") List<String> pointers) throws Exception {
        JsonNode tree = new JsonMapper().readTree(text);
        String expected = pointers.stream()
                .map(tree::at)
                .filter(found -> found.isValueNode() && !found.isNull())
                .map(JsonNode::asText)
                .findFirst()
                .orElse(null);

        assertThat(find(text, pointers.toArray(String[]::new))).isEqualTo(expected);
    }

    /** Few names, so that they collide. */
    @Provide
    Arbitrary<String> objects() {
        return object(3);
    }

    @Provide
    Arbitrary<List<String>> pointers() {
        return Arbitraries.of("a", "b", "0", "1")
                .list()
                .ofMinSize(1)
                .ofMaxSize(3)
                .map(parts -> "/" + String.join("/", parts))
                .list()
                .ofMinSize(1)
                .ofMaxSize(3);
    }

    private static Arbitrary<String> object(int depth) {
        return Combinators.combine(Arbitraries.of("a", "b", "0", "1"), value(depth))
                .as((name, value) -> Map.entry(name, value))
                .list()
                .uniqueElements(Map.Entry::getKey)
                .ofMaxSize(4)
                .map(fields -> fields.stream()
                        .map(field -> "\"" + field.getKey() + "\":" + field.getValue())
                        .collect(Collectors.joining(", ", "{", "}")));
    }

    private static Arbitrary<String> value(int depth) {
        Arbitrary<String> scalar = Arbitraries.of(
                "null",
                "true",
                "false",
                "7",
                "-12",
                "-0",
                "1.50e+2",
                "12345678901234567890",
                "1e999",
                "\"7\"",
                "\"\\u00e9\"",
                "\"\u0422\u06c1\u0741\u0701 whose bytes are quote, bracket and backslash but for the high bit\"",
                "\"]}[{\"",
                "\"a quote \\\" and }\"",
                "\"a backslash at the end \\\\\"",
                "\"\"");
        return depth == 0 ? scalar : Arbitraries.oneOf(scalar, object(depth - 1), array(depth - 1));
    }

    private static Arbitrary<String> array(int depth) {
        return value(depth).list().ofMaxSize(3).map(elements -> "[" + String.join(",", elements) + "]");
    }

    @Test
    void ofANameThatIsThereTwiceTheFirstOneCounts() throws JsonSyntaxException {
        assertThat(find("{\"a\":{\"id\":1},\"a\":{\"id\":2}}", "/a/id")).isEqualTo("1");
    }

    @Test
    void namesAreComparedAsTheyAreMeant() throws JsonSyntaxException {
        String text = "{\"a/b\":1, \"\\u0061\":2, \"\u00e9\" : 3, \"q\\\"\":4, \"\":5}";

        assertThat(find(text, "/a~1b")).isEqualTo("1");
        assertThat(find(text, "/a")).isEqualTo("2");
        assertThat(find(text, "/\u00e9")).isEqualTo("3");
        assertThat(find(text, "/q\"")).isEqualTo("4");
        assertThat(find(text, "/")).isEqualTo("5");
    }

    @Test
    void aTextThatBreaksOffBeforeLeadsNowhere() {
        for (String text :
                List.of("{\"b\":1,\"a\":", "{\"b\":[{\"c\":1}", "{\"b\":\"], \"", "{\"b\":{\"c\\\"", "{\"b\":\"\\")) {
            assertThatThrownBy(() -> find(text, "/a")).as(text).isInstanceOf(JsonSyntaxException.class);
        }
    }
}
