package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ManagementPort;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of the console as a browser asks for them, from its page on. */
@Timeout(60)
final class ConsoleFilesTest {
    /** What a page or a module asks for by itself. */
    private static final Pattern ASKED =
            Pattern.compile("(?:<(?:script|link|img)[^>]* (?:src|href)=|from ?|import ?)[\"']([a-z0-9./-]+)[\"']");

    private static final Pattern HOST = Pattern.compile("(?:https?:)?//[a-z0-9.-]+\\.[a-z]+");
    private static final String SVG = "http://www.w3.org/2000/svg";
    private static final String LIBRARIES = "/webjars/";

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient http = HttpClient.newHttpClient();
    private int port;

    @BeforeEach
    void manage() {
        port = ManagementPort.open(vertx, "management-token-0123456789");
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    private HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        return http.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    /** All that the page asks for, and all that this asks for, by path. */
    private Map<String, HttpResponse<String>> all() throws IOException, InterruptedException {
        Map<String, HttpResponse<String>> answers = new TreeMap<>();
        Deque<URI> open = new ArrayDeque<>(List.of(URI.create("/")));
        while (!open.isEmpty()) {
            URI path = open.remove();
            if (!answers.containsKey(path.toString())) {
                HttpResponse<String> answer = get(path.toString());
                answers.put(path.toString(), answer);
                Matcher asked = ASKED.matcher(answer.body());
                while (asked.find()) {
                    open.add(path.resolve(asked.group(1)));
                }
            }
        }
        return answers;
    }

    @Test
    void eachIsServedWithoutATokenAndWithThePolicy() throws Exception {
        Map<String, HttpResponse<String>> all = all();

        assertThat(all).containsKeys("/", "/console.css", "/icon.svg", "/views/overview.js");
        assertThat(all.keySet()).anyMatch(path -> path.startsWith(LIBRARIES));
        all.forEach((path, answer) -> {
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Security-Policy").orElse("none"))
                    .as(path)
                    .contains("default-src 'none'", "script-src 'self';", "style-src 'self';", "frame-ancestors 'none'")
                    .doesNotContain("unsafe", "*", "http", "data:");
            assertThat(answer.headers().firstValue("X-Content-Type-Options"))
                    .as(path)
                    .hasValue("nosniff");
            assertThat(answer.headers().firstValue("Referrer-Policy")).as(path).hasValue("no-referrer");
        });
    }

    @Test
    void noneIsLeftThatNothingAsksFor() throws Exception {
        assertThat(all().keySet()).containsAll(stored());
    }

    private static List<String> stored() throws IOException, URISyntaxException {
        Path root = Path.of(
                        Objects.requireNonNull(ConsoleFilesTest.class.getResource("/dev/holdfast/console/console.js"))
                                .toURI())
                .resolveSibling("");
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> "/" + root.relativize(file))
                    .filter(path -> !path.equals("/index.html"))
                    .toList();
        }
    }

    @Test
    void noneNamesAnotherHostOrHasScriptOrStyleInItsMarkup() throws Exception {
        all().forEach((path, answer) -> {
            if (!path.startsWith(LIBRARIES)) {
                assertThat(answer.body().replace(SVG, "")).as(path).doesNotContainPattern(HOST);
                assertThat(answer.body())
                        .as(path)
                        .doesNotContain(" style=", " onclick=", "innerHTML", "unsafe", "eval(", "url(");
            }
        });
    }

    @Test
    void oneThatTheBrowserHasIsNotSentAgain() throws Exception {
        HttpResponse<String> first = get("/console.js");
        String tag = first.headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> second = get("/console.js", "If-None-Match", tag);

        assertThat(second.statusCode()).isEqualTo(304);
        assertThat(second.body()).isEmpty();
        assertThat(second.headers().firstValue("ETag")).hasValue(tag);
        assertThat(get("/console.js", "If-None-Match", "\"another\"").body()).isEqualTo(first.body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/views",
                "/views/",
                "/views/none.js",
                "/console.js/",
                "/%2e%2e/management/openapi.yaml",
                "/../management/openapi.yaml",
                "/..%2fmanagement/openapi.yaml",
                "/webjars/lit-html/3.3.2/../../../../../dev/holdfast/Holdfast.class",
                "/webjars/lit-html/3.3.2/LICENSE",
                "/webjars/%2e%2e/%2e%2e/%2e%2e/logback.xml"
            })
    void nothingElseIsServed(String path) throws Exception {
        assertThat(get(path).statusCode()).isEqualTo(404);
    }

    @Test
    void aDeepPathIsLookedUpAsAnyOther() throws Exception {
        assertThat(get("/a".repeat(2_000)).statusCode()).isEqualTo(404);
        assertThat(get("/a".repeat(2_000) + ".js").statusCode()).isEqualTo(404);
    }
}
