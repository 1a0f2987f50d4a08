package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.push.PermanentFailure;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What can't be meant is answered with what was found and what was expected, and does nothing. */
@Timeout(90)
final class BadQuestionsTest {
    @TempDir
    private static Path directory;

    private static final Deliveries DELIVERIES =
            new Deliveries().behave(push -> Future.failedFuture(new PermanentFailure("no")));
    private static GatewayUnderTest gateway;

    @BeforeAll
    static void start() {
        gateway = GatewayUnderTest.start(new GatewaySettings().consumer("gone", "*", DELIVERIES), directory);
        gateway.push(envelope("client.created", 1));
        eventually(() ->
                assertThat(gateway.management("/api/v1/dead-letters").body()).contains("\"seq\":1"));
        gateway.reconfigure(new GatewaySettings().consumer("mine", "ticket.*", DELIVERIES), directory);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            dead-letters?consumer=nobody  | consumer: found nobody, expected one that is configured or has dead letters: [gone, mine]
            dead-letters?event=client.    | event: found client., expected an event such as client.created, a family such as client.*, or *
            dead-letters?from=10&to=5     | to: found 5, expected a position from 10 on, where from is
            dead-letters?from=x           | from: found x, expected a whole number from 0 on
            dead-letters?seq=1&to=5       | seq: found 1, expected either seq, or from and to
            dead-letters?cursor=rubbish   | cursor: found rubbish, expected what the page before has under next
            pushes?cursor=7               | cursor: found 7, expected what the page before has under next
            quarantine?cursor=YXVkaXQ6Nw  | cursor: found YXVkaXQ6Nw, expected what the page before has under next
            pushes?order=random           | order: found random, expected one of [newest, oldest]
            dead-letters?limit=0          | limit: found 0, expected a whole number from 1 to 1000
            dead-letters?limit=5000       | limit: found 5000, expected a whole number from 1 to 1000
            dead-letters?limit=%D9%A5     | limit: found ٥, expected a whole number from 1 to 1000
            dead-letters?seq=%2B1         | seq: found +1, expected a whole number from 0 on
            dead-letters?form=1           | found an unknown key form, expected one of [consumer, event, seq, from, to, limit, cursor]
            dead-letters?limit=1&limit=2  | limit: found it twice, expected it once
            pushes?event=client.          | event: found client., expected an event such as client.created, a family such as client.*, or *
            pushes?from=10&to=5           | to: found 5, expected a position from 10 on, where from is
            pushes?since=now              | since: found now, expected a time such as 2026-01-31T00:00:00Z
            pushes?limit=1001             | limit: found 1001, expected a whole number from 1 to 1000
            pushes?after=1                | found an unknown key after, expected one of [from, to, id, event, enterprise, endpoint, since, until, order, limit, cursor]
            consumers?limit=1             | found an unknown key limit, expected none here
            tap?rate=0                    | rate: found 0, expected a whole number from 1 to 10000
            tap?body=perhaps              | body: found perhaps, expected true or false
            tap?event=a+b                 | event: found a b, expected an event such as client.created, a family such as client.*, or *
            tap?consumer=x                | found an unknown key consumer, expected one of [event, enterprise, endpoint, body, rate]
            pushes/x                      | seq: found x, expected a whole number from 0 on
            """)
    void aQueryIsReadStrictly(String query, String error) {
        HttpAnswer answer = gateway.management("/api/v1/" + query);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(new JsonObject(answer.body()).getString("detail")).isEqualTo(error);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            dead-letters/retry   | {}                                | found nothing that says which dead letters, expected one of [consumer, event, seq, from, to], or all: true
            dead-letters/retry   | {"consumer":"nobody"}             | consumer: found nobody, expected one that is configured or has dead letters: [gone, mine]
            dead-letters/retry   | {"seq":1,"from":1}                | seq: found 1, expected either seq, or from and to
            dead-letters/retry   | {"seq":1.5}                       | seq: found 1.5, expected a whole number from 0 on
            dead-letters/retry   | {"all":"yes"}                     | all: found yes, expected true or false
            dead-letters/retry   | {"all":true,"reason":"x"}         | found an unknown key reason, expected one of [consumer, event, seq, from, to, all, dryRun]
            dead-letters/discard | {"consumer":"gone","seq":null,"reason":"x"} | seq: found null, expected a value, or no such key
            dead-letters/discard | {"consumer":"mine","consumer":"gone","reason":"x"} | found malformed JSON or a key twice, expected a JSON object with each key once
            dead-letters/discard | {"consumer":"mine"                 | found malformed JSON or a key twice, expected a JSON object with each key once
            dead-letters/discard | ["mine"]                           | found no JSON object, expected one as the body
            dead-letters/discard | {"all":true}                      | reason: found nothing, expected why they are discarded
            dead-letters/discard | {"all":true,"reason":""}          | reason: found "", expected why they are discarded
            dead-letters/discard | {"reason":"old"}                  | found nothing that says which dead letters, expected one of [consumer, event, seq, from, to], or all: true
            dead-letters/discard | {"event":"client.*x","reason":"x"} | event: found client.*x, expected an event such as client.created, a family such as client.*, or *
            replays              | {"all":true,"rate":0}             | rate: found 0, expected a whole number from 1 to 100000
            replays              | {"from":2}                        | from: found 2, expected a position up to 1, the newest in the journal
            replays              | {"from":2,"dryRun":true}          | from: found 2, expected a position up to 1, the newest in the journal
            replays              | {"from":3,"to":2}                 | to: found 2, expected a position from 3 on, where from is
            replays              | {"since":"2026-01-02T00:00:00Z","until":"2026-01-01T00:00:00Z"} | until: found 2026-01-01T00:00:00Z, expected a time after since
            replays              | {"since":"2026-01-01T00:00:00Z","until":"2026-01-01T00:00:00Z"} | until: found 2026-01-01T00:00:00Z, expected a time after since
            replays              | {"all":true,"dryRun":1}           | dryRun: found 1, expected true or false
            replays              | {"consumer":""}                   | consumer: found "", expected one that is configured: [mine]
            replays/x/stop       | {"all":true}                      | found an unknown key all, expected none here
            """)
    void aBodyIsReadStrictly(String path, String body, String error) {
        HttpAnswer answer = gateway.manage("/api/v1/" + path, body);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(new JsonObject(answer.body()).getString("detail")).isEqualTo(error);
        assertThat(gateway.management("/api/v1/dead-letters?consumer=gone").body())
                .contains("\"seq\":1");
    }

    @Test
    void aConsumerThatIsNotConfiguredIsNotSaidToBeBehindByNothing() {
        assertThat(Verb.run(gateway, "consumers", "get", "gone").done()).containsPattern("behind +-\\R");
    }

    @ParameterizedTest
    @CsvSource({
        "dead-letters,list --consumer nobody",
        "dead-letters,list --last 0",
        "dead-letters,list --seq 1 --from 1",
        "dead-letters,retry --event client.",
        "pushes,list --last 0",
        "pushes,list --from 10 --to 5",
        "pushes,replay --consumer nobody",
        "pushes,replay --from 77",
        "pushes,replay --status --stop x",
        "pushes,replay --status --from 1"
    })
    void theCommandLineWasUsedWronglyThen(String group, String verb) {
        Verb run = Verb.run(gateway, group, verb.split(" "));

        assertThat(run.status()).as(run.err()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("found", "expected", "Try 'holdfast " + group);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            GET  | /api/v1/pushes/77          | 404 | found no push 77 in the journal
            POST | /api/v1/replays/x/stop     | 404 | found no replay x on its way
            POST | /api/v1/replays/a%0Ab/stop | 404 | found no replay a b on its way
            GET  | /api/v1/consumers/a%0Ab    | 404 | found no consumer a b, expected one of [gone, mine]
            POST | /api/v1/consumers/a%0Ab/pause | 404 | found no consumer a b in the configuration
            GET  | /api/v1/pushes?event=%zz   | 400 | found a request that can't be read
            GET  | /api/v1/pushes/%zz         | 400 | found a request that can't be read
            GET  | /api/v1/nothing            | 404 | found the path /api/v1/nothing, expected one that /api/v1/openapi.yaml has
            GET  | /nothing                   | 404 | found the path /nothing, expected one that /api/v1/openapi.yaml has
            GET  | /nothing.js                | 404 | found the path /nothing.js, expected one that /api/v1/openapi.yaml has
            GET  | /api/v1/pushes/1/more      | 404 | found the path /api/v1/pushes/1/more, expected one that /api/v1/openapi.yaml has
            """)
    void whatIsNotThereIsAnsweredInJson(String method, String path, int status, String error) {
        HttpAnswer answer = method.equals("GET") ? gateway.management(path) : gateway.manage(path, "{}");

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
        assertThat(new JsonObject(answer.body()).getString("detail")).isEqualTo(error);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            POST   | /api/v1/pushes                     | GET
            POST   | /api/v1/pushes/                    | GET
            DELETE | /api/v1/pushes/7                   | GET
            GET    | /api/v1/dead-letters/retry         | POST
            GET    | /api/v1/consumers/a%20b/pause      | POST
            PUT    | /api/v1/replays                    | GET, POST
            PUT    | /api/v1/quarantine/verify          | GET, POST
            POST   | /livez                             | GET, HEAD
            POST   | /                                  | GET
            POST   | /console.js                        | GET
            """)
    void anotherMethodIsToldThoseThatThePathHas(String method, String path, String allowed) {
        HttpAnswer answer = gateway.ask(method, path, "\r\n");

        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.header("allow")).isEqualTo(allowed);
        assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
        assertThat(new JsonObject(answer.body()).getString("detail"))
                .isEqualTo("found the method " + method + ", expected " + allowed + " for " + path);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Content-Length: 20000               | {} | 413 | found a body that is too large, expected 16384 bytes at most
            Transfer-Encoding: chunked          | zz | 400 | found a request that can't be read
            Content-Length: 4; Expect: miracles | {} | 417 | found another Expect, expected 100-continue
            """)
    void aBodyThatIsNotTakenIsAnsweredInJsonWithoutAnError(String header, String body, int status, String error) {
        try (LogLines log = LogLines.atWarn()) {
            HttpAnswer answer = gateway.ask(
                    "POST",
                    "/api/v1/replays",
                    "Content-Type: application/json\r\n" + header.replace("; ", "\r\n") + "\r\n\r\n" + body + "\r\n");

            assertThat(answer.status()).isEqualTo(status);
            assertThat(new JsonObject(answer.body()).getString("detail")).isEqualTo(error);
            assertThat(log.lines()).noneMatch(line -> line.contains("io.vertx"));
        }
    }

    @Test
    void aBodyThatIsTooLargeAndMalformedIsAnsweredOnce() {
        try (LogLines log = LogLines.atWarn()) {
            HttpAnswer answer = gateway.ask(
                    "POST",
                    "/api/v1/replays",
                    "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n4e20\r\n" + " ".repeat(0x4e20)
                            + "\r\nzz\r\n");
            assertThat(answer.status()).isEqualTo(413);

            assertThat(gateway.management("/livez").status()).isEqualTo(200);
            assertThat(log.lines()).noneMatch(line -> line.contains("Error in error handler"));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Content-Type: text/plain | {}  | found the Content-Type text/plain, expected application/json
            X-Type: none             | {}  | found no Content-Type, expected application/json
            X-Type: none             | ''  | found no Content-Type, expected application/json
            Content-Type: application/json; charset=utf-8 | '' | found no JSON object, expected one as the body
            Content-Type: multipart/form-data; boundary= | x | found the Content-Type multipart/form-data; boundary=, expected application/json
            Content-Type: application/x-www-form-urlencoded | a=%zz | found the Content-Type application/x-www-form-urlencoded, expected application/json
            """)
    void aBodyOfAnotherTypeIsToldItsType(String header, String body, String error) {
        HttpAnswer answer = gateway.ask(
                "POST", "/api/v1/replays", header + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(new JsonObject(answer.body()).getString("detail")).isEqualTo(error);
    }

    @ParameterizedTest
    @CsvSource({
        "414, 5000, 1, a request line that is too long",
        "431, 1, 9000, headers that are too large",
        "400, 1, 0, a request that can't be read"
    })
    void whatIsTooLongOrNoHttpIsAnsweredInJson(int status, int target, int header, String found) {
        HttpAnswer answer = gateway.ask(
                "GET",
                "/api/v1/pushes?id=" + "a".repeat(target),
                (header == 0 ? "no header" : "X-Long: " + "a".repeat(header)) + "\r\n\r\n");

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.header("connection")).isEqualTo("close");
        assertThat(new JsonObject(answer.body()).getString("detail")).startsWith("found " + found);
    }

    @Test
    void theCommandLineHasFailedWhenWhatItNamesIsNotThere() {
        Verb run = Verb.run(gateway, "pushes", "get", "77");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("found no push 77");
    }
}
