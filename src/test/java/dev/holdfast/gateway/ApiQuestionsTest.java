package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ApiDocument;
import dev.holdfast.ApiDocument.Operation;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every operation of the API's document takes what stands there and nothing else. */
@Timeout(60)
final class ApiQuestionsTest {
    private static final Pattern EXPECTED =
            Pattern.compile("found an unknown key nonsense, expected (?:one of \\[(.+)]|none here)");

    @TempDir
    static Path directory;

    private static GatewayUnderTest gateway;

    @BeforeAll
    static void start() {
        gateway = GatewayUnderTest.start(new GatewaySettings().consumer("mine", "*", new Deliveries()), directory);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    static Stream<Operation> operations() {
        return ApiDocument.shipped().operations().stream().filter(Operation::isFinished);
    }

    static Stream<Operation> posts() {
        return operations().filter(operation -> operation.method().equals("POST"));
    }

    private static String target(Operation operation) {
        return ApiDocument.API
                + operation
                        .path()
                        .replace("{name}", "mine")
                        .replace("{consumer}", "mine")
                        .replaceAll("\\{\\w+}", "1");
    }

    @ParameterizedTest
    @MethodSource("operations")
    void anUnknownParameterIsRefusedAndTheKnownOnesAreTheDocuments(Operation operation) {
        String target = target(operation) + "?nonsense=1";
        HttpAnswer answer =
                operation.method().equals("GET") ? gateway.management(target) : gateway.manage(target, "{}");

        assertThat(known(answer)).isEqualTo(ApiDocument.shipped().query(operation));
    }

    @ParameterizedTest
    @MethodSource("posts")
    void anUnknownKeyIsRefusedAndTheKnownOnesAreTheDocuments(Operation operation) {
        HttpAnswer answer = gateway.manage(target(operation), "{\"nonsense\":1}");

        assertThat(known(answer)).isEqualTo(ApiDocument.shipped().body(operation));
    }

    private static Set<String> known(HttpAnswer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        Matcher said = EXPECTED.matcher(new JsonObject(answer.body()).getString("detail"));
        assertThat(said.matches()).as(answer.body()).isTrue();
        return said.group(1) == null
                ? Set.of()
                : new TreeSet<>(List.of(said.group(1).split(", ")));
    }
}
