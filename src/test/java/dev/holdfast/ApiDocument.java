package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import dev.holdfast.management.ManagementVerticle;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The management API as {@code openapi.yaml} has it: every answer is held against it. */
public final class ApiDocument {
    public static final String API = "/api/v1";

    /** Operations that are not built, or not as the document has them. Whoever builds one takes it out. */
    static final Set<String> UNFINISHED = Set.of();

    private static final String ADDRESS = "https://holdfast.dev/openapi.json";
    private static final JsonMapper JSON = new JsonMapper();
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch", "head", "options");
    private static final ApiDocument SHIPPED = new ApiDocument();

    private final JsonNode root;
    private final SchemaRegistry schemas;

    private ApiDocument() {
        try (InputStream in = ManagementVerticle.class.getResourceAsStream("openapi.yaml")) {
            root = new YAMLMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        schemas = SchemaRegistry.withDialect(
                Dialects.getOpenApi31(),
                builder -> builder.schemas(Map.of(ADDRESS, root.toString()))
                        .schemaRegistryConfig(SchemaRegistryConfig.builder()
                                .formatAssertionsEnabled(true)
                                .build()));
    }

    /**
     * A method of a path.
     *
     * @param path below {@link #API}, such as {@code /pushes/{seq}}
     */
    public record Operation(String method, String path, JsonNode node) {
        public String id() {
            return node.path("operationId").asText();
        }

        public boolean isFinished() {
            return !UNFINISHED.contains(id());
        }

        private boolean matches(String asked) {
            String pattern = Pattern.compile("\\{[^}]+}")
                    .splitAsStream(path + "/")
                    .map(Pattern::quote)
                    .collect(Collectors.joining("[^/]+"));
            return (asked + "/").matches(pattern);
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    public static ApiDocument shipped() {
        return SHIPPED;
    }

    public List<Operation> operations() {
        List<Operation> operations = new ArrayList<>();
        root.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().stream()
                        .filter(method -> METHODS.contains(method.getKey()))
                        .forEach(method -> operations.add(new Operation(
                                method.getKey().toUpperCase(Locale.ROOT), path.getKey(), method.getValue()))));
        return operations;
    }

    /** The names of an operation's parameters in its query. */
    public Set<String> query(Operation operation) {
        Set<String> names = new TreeSet<>();
        operation.node().path("parameters").forEach(parameter -> {
            JsonNode meant = resolved(parameter);
            if (meant.path("in").asText().equals("query")) {
                names.add(meant.path("name").asText());
            }
        });
        return names;
    }

    /** The names that the object has which is an operation's body. */
    public Set<String> body(Operation operation) {
        Set<String> names = new TreeSet<>();
        addProperties(
                resolved(operation.node().path("requestBody"))
                        .path("content")
                        .path("application/json")
                        .path("schema"),
                names);
        return names;
    }

    private void addProperties(JsonNode schema, Set<String> names) {
        schema.path("properties").fieldNames().forEachRemaining(names::add);
        if (schema.has("$ref")) {
            addProperties(resolved(schema), names);
        }
    }

    /**
     * Holds an answer against what the document says of it.
     *
     * @param target as it was asked for, with its query
     */
    public void check(String method, String target, int status, @Nullable String type, String body) {
        String path = target.split("\\?", 2)[0].substring(API.length());
        Optional<Operation> operation = operations().stream()
                .filter(one -> one.method().equals(method) && one.matches(path))
                .min(Comparator.comparing(one -> one.path().contains("{")));
        String asked = method + " " + target + " was answered with " + status + " " + body;
        if (status >= 400 && !type(type).equals("application/json")) {
            assertThat(type(type)).as(asked).isEqualTo("application/problem+json");
            valid(asked, "/components/schemas/Problem", body);
            assertThat(json(body).path("status").asInt()).as(asked).isEqualTo(status);
            return;
        }
        assertThat(operation).as("the operation of %s", asked).isPresent();
        if (operation.get().isFinished()) {
            answer(asked, operation.get(), status, type(type), body);
        }
    }

    /** Holds what is asked with a POST against what the document says of it. */
    public void checkBody(String target, String body) {
        String path = target.substring(API.length());
        Operation operation = operations().stream()
                .filter(one -> one.method().equals("POST") && one.matches(path))
                .findFirst()
                .orElseThrow(() -> new AssertionError("found no POST of " + target));
        JsonNode described = operation.node().path("requestBody");
        String pointer = described.has("$ref")
                ? described.path("$ref").asText().substring(1)
                : pointer(operation) + "/requestBody";
        valid("POST " + target + " with " + body, pointer + "/content/application~1json/schema", body);
    }

    private static String pointer(Operation operation) {
        return "/paths/" + operation.path().replace("~", "~0").replace("/", "~1") + "/"
                + operation.method().toLowerCase(Locale.ROOT);
    }

    private void answer(String asked, Operation operation, int status, String type, String body) {
        String pointer = pointer(operation) + "/responses/" + status;
        JsonNode response = root.at(pointer);
        assertThat(response.isMissingNode())
                .as("%s, which the document doesn't have", asked)
                .isFalse();
        if (response.has("$ref")) {
            pointer = response.path("$ref").asText().substring(1);
        }
        JsonNode content = resolved(response).path("content");
        assertThat(content.has(type))
                .as("%s of type %s, one of %s", asked, type, content)
                .isTrue();
        if (type.equals("application/json")) {
            valid(asked, pointer + "/content/" + type.replace("/", "~1") + "/schema", body);
        }
    }

    private void valid(String asked, String pointer, String body) {
        assertThat(schemas.getSchema(SchemaLocation.of(ADDRESS + "#" + pointer)).validate(json(body)))
                .as(asked)
                .isEmpty();
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError("found " + text + ", expected JSON", e);
        }
    }

    private static String type(@Nullable String header) {
        return String.valueOf(header).split(";", 2)[0].strip();
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? root.at(node.path("$ref").asText().substring(1)) : node;
    }
}
