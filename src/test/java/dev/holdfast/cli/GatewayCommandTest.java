package dev.holdfast.cli;

import static dev.holdfast.cli.HoldfastCommandTest.lines;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.ApiDocument;
import dev.holdfast.config.ConsumerCheck;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the verbs that ask a gateway refuse, and what they say of an address where there is none. */
class GatewayCommandTest {
    /** Nobody is asked: nobody listens there. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            consumers get _           | NAME: found nothing, expected a consumer's name
            consumers get .           | NAME: found ., expected a consumer's name
            consumers get ..          | NAME: found .., expected a consumer's name
            consumers pause _         | NAME: found nothing, expected a consumer's name
            consumers resume ..       | NAME: found .., expected a consumer's name
            dead-letters get _ 7      | CONSUMER: found nothing, expected a consumer's name
            pushes replay --stop _    | --stop: found nothing, expected the identifier of a replay
            pushes replay --stop .    | --stop: found ., expected the identifier of a replay
            """)
    void refusesAnArgumentThatLeadsToAnotherPath(String line, String mistake) {
        assertThatItIsRefused(line, mistake);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            pushes replay         | found nothing that says which pushes, expected --consumer, --from, --to, --id, --event, --enterprise, --endpoint, --since or --until, or --all for every push to every consumer
            dead-letters retry    | found nothing that says which, expected --consumer, --event, --seq, --from or --to, or --all
            audit --last 0        | --last: found 0, expected a number from 1 on
            ledger --last 0       | --last: found 0, expected a number from 1 to 10000
            ledger --last 10001   | --last: found 10001, expected a number from 1 to 10000
            """)
    void namesTheOptionsThatWouldDo(String line, String mistake) {
        assertThatItIsRefused(line, mistake);
    }

    private static void assertThatItIsRefused(String line, String mistake) {
        CommandLineRun run = run("http://127.0.0.1:1", line.split(" "));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith(lines("holdfast: " + mistake));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://someone:s3cret@127.0.0.1:1", "http://s3cret@127.0.0.1:1", "http://a:s3@cret@127.0.0.1:1"
            })
    void refusesAnAddressWithAUserAndDoesNotShowIt(String address) {
        CommandLineRun asked = run(address, "status");
        CommandLineRun usual = CommandLineRun.of("", Map.of("HOLDFAST_MANAGEMENT", address), "status");

        assertThat(asked.err()).startsWith("holdfast: --management: found ");
        assertThat(usual.err()).startsWith("holdfast: HOLDFAST_MANAGEMENT: found ");
        for (CommandLineRun run : List.of(asked, usual)) {
            assertThat(run.status()).isEqualTo(2);
            assertThat(run.err())
                    .contains(", expected one such as http://127.0.0.1:8081")
                    .doesNotContain("cret");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            status                             | {"ok":true} | "problems"
            status --output json               | [1]         | "problems"
            consumers get mine                 | {}          | "name"
            consumers list                     | null        | "consumers"
            consumers pause mine               | {"ok":true} | "name"
            pushes list                        | {"next":"1"} | "pushes"
            pushes get 7                       | {"ok":true} | "seq"
            pushes replay --all                | {"ok":true} | "id"
            pushes replay --all --dry-run      | {"id":"x"}  | "pushes"
            pushes replay --status             | {"ok":true} | "replays"
            pushes replay --stop x             | {"ok":true} | "stopped"
            dead-letters get mine 7            | {"ok":true} | "seq"
            dead-letters retry --all           | {"ok":true} | "retrying"
            dead-letters discard --all --reason x | {"ok":true} | "discarded"
            quarantine get 7                   | {"ok":true} | "headers"
            quarantine verify --all            | {"ok":true} | "pushes"
            ledger                             | {"ok":true} | "counts"
            audit                              | {"ok":true} | "actions"
            tap                                | {"ok":true} | "text/event-stream"
            token status                       | {"ok":true} | "state"
            token exchange --code x            | {"ok":true} | "exchanged"
            status                             | ok          | JSON
            """)
    void saysThatAnotherServersAnswerIsNoGateways(String line, String answer, String missing) throws IOException {
        assertThatItIsNoGateways(200, line, answer, missing);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            status       | "problems"
            pushes get 7 | "seq"
            tap          | "text/event-stream"
            """)
    void saysThatAnotherServersProblemIsNoGateways(String line, String missing) throws IOException {
        assertThatItIsNoGateways(404, line, "{\"detail\":\"Not Found\"}", missing);
    }

    /** More than are remembered may have ended between two looks. */
    @Test
    void doesNotSayThatARetryWhichIsNoLongerKnownIsDone() throws IOException {
        String answer = "{\"retrying\":1,\"staying\":[],\"order\":\"\",\"replay\":\"x\",\"replays\":[]}";

        asking(
                200,
                answer,
                address -> assertThat(run(address, "dead-letters", "retry", "--all", "--follow"))
                        .isEqualTo(new CommandLineRun(
                                1,
                                "",
                                lines("holdfast: found no replay x at " + address + ", expected what became of it"))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            quarantine verify --all --output json | {"pushes":3,"duplicates":1,"wrong":0,"unknownEndpoint":0,"failed":0,"next":9}
            dead-letters discard --all --reason x --output json | {"discarded":3,"more":true}
            audit --output json                   | {"actions":[{"action":"consumers.pause"}],"next":"9"}
            """)
    void showsWhatCameBeforeThePageThatFails(String line, String first) throws IOException {
        String problem = "{\"title\":\"Internal Server Error\",\"detail\":\"it failed\"}";

        asking(
                List.of(new Reply(200, "application/json", first), new Reply(500, "application/problem+json", problem)),
                address -> assertThat(run(address, line.split(" ")))
                        .isEqualTo(new CommandLineRun(1, lines(first), lines("holdfast: it failed"))));
    }

    /** The output's reader leaves at once: whoever collects a list in memory before writing it asks for all of it. */
    @ParameterizedTest
    @ValueSource(strings = {"text", "json"})
    void writesALongListWhileItComes(String form) throws IOException {
        Reply page = new Reply(200, "application/json", "{\"actions\":[" + "{},".repeat(999) + "{}],\"next\":\"9\"}");
        Reply none = new Reply(500, "application/problem+json", "{\"detail\":\"asked for all of it\"}");
        List<Reply> replies = Stream.concat(Stream.generate(() -> page).limit(15), Stream.of(none))
                .toList();

        asking(replies, address -> {
            CommandLineRun run = CommandLineRun.into(
                    new ReaderGone(),
                    "",
                    Map.of(),
                    ConsumerCheck.NONE,
                    "audit",
                    "--last",
                    "16000",
                    "--output",
                    form,
                    "--management",
                    address);

            assertThat(run).isEqualTo(new CommandLineRun(ExitStatus.OUTPUT_GONE, "", ""));
        });
    }

    private static final class ReaderGone extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
        }
    }

    @Test
    void writesALongListAsOne() throws IOException {
        String actions = "{\"who\":\"someone\"}" + ",{\"who\":\"x\"}".repeat(999);
        String longer = "{\"who\":\"somebody else\"}" + ",{\"who\":\"x\"}".repeat(999);
        List<Reply> replies = Stream.concat(
                        Stream.generate(() -> actions).limit(10).map(page -> page + "],\"next\":\"9\""),
                        Stream.of(longer + "]"))
                .map(page -> new Reply(200, "application/json", "{\"actions\":[" + page + "}"))
                .toList();

        asking(replies, address -> {
            CommandLineRun run = run(address, "audit", "--last", "11000");

            assertThat(run.out().lines()).hasSize(11_001);
            assertThat(run.out().lines().filter(line -> line.contains("WHO"))).hasSize(1);
            assertThat(run.out().lines().filter(line -> line.contains("somebody else")))
                    .hasSize(1);
            assertThat(run.err()).isEmpty();
        });
        asking(replies, address -> {
            CommandLineRun run = run(address, "audit", "--last", "11000", "--output", "json");

            assertThat(run.out()).isEqualTo(lines("{\"actions\":[" + (actions + ",").repeat(10) + longer + "]}"));
        });
    }

    @Test
    void showsWhatCameBeforeAPageThatNeverComes() throws IOException {
        String first = "{\"pushes\":3,\"duplicates\":1,\"wrong\":0,\"unknownEndpoint\":0,\"failed\":0,\"next\":9}";

        asking(List.of(new Reply(200, "application/json", first), new Reply(200, "text/plain", "ok")), address -> {
            CommandLineRun run = run(address, "quarantine", "verify", "--all");

            assertThat(run.status()).isEqualTo(1);
            assertThat(run.out()).startsWith("3 are pushes now").contains("1 is in the journal already");
            assertThat(run.err()).contains("found status 200 and no JSON");
        });
    }

    @Test
    void addsUpWhatThePagesOfAVerificationHave() throws IOException {
        List<Reply> replies = List.of(
                new Reply(
                        200,
                        "application/json",
                        "{\"pushes\":3,\"duplicates\":1,\"wrong\":5,\"unknownEndpoint\":0,\"failed\":0,\"next\":9}"),
                new Reply(
                        200,
                        "application/json",
                        "{\"pushes\":4,\"duplicates\":0,\"wrong\":1,\"unknownEndpoint\":2,\"failed\":0,\"next\":20}"),
                new Reply(
                        200,
                        "application/json",
                        "{\"pushes\":1,\"duplicates\":1,\"wrong\":0,\"unknownEndpoint\":0,\"failed\":0}"));

        asking(
                replies,
                address -> assertThat(run(address, "quarantine", "verify", "--all"))
                        .isEqualTo(new CommandLineRun(
                                0,
                                lines(
                                        "8 are pushes now, in the order of their arrival, marked late",
                                        "2 are in the journal already, and gone from the quarantine",
                                        "6 are no match for the secrets of now, and stay",
                                        "2 are of an endpoint that is not configured, and stay"),
                                "")));
    }

    @Test
    void saysWhatATapLeftOutAndThatItsStreamHasEnded() throws IOException {
        String push = "{\"seq\":7,\"event\":\"client.created\",\"receivedAt\":\"2026-11-28T10:11:12.345Z\",\"bytes\":3,"
                + "\"body\":\"aGVsbG8=\"}";
        String stream = ": still there\n\nevent: push\ndata: " + push + "\n\nevent: dropped\ndata: {\"count\":12}\n\n";

        asking(List.of(new Reply(200, "text/event-stream", stream)), address -> {
            String ended =
                    lines("holdfast: the gateway at " + address + " has ended the stream: it has stopped, or is lost");
            CommandLineRun run = run(address, "tap");

            assertThat(run.status()).isEqualTo(1);
            assertThat(run.out())
                    .containsPattern("^10:11:12\\.345 +7  client\\.created ")
                    .contains("hello");
            assertThat(run.err()).isEqualTo(lines("… 12 left out: more than --rate, or than this reader took") + ended);
            assertThat(run(address, "tap", "--output", "json"))
                    .isEqualTo(new CommandLineRun(1, lines(push, "{\"dropped\":12}"), ended));
        });
    }

    @Test
    void tellsOfTheLedgerWhatRangeEachCountHasAndHowEachLastStopWas() throws IOException {
        String ledger = """
                {"counts":[{"day":"2026-11-28","count":3,"cause":"journal-push","from":7,"to":9},
                           {"day":"2026-11-28","count":1,"cause":"signature","endpoint":"default"}],
                 "starts":[{"at":"2026-11-28T10:00:00Z","lastStop":"unclean","downMillis":1500},
                           {"at":"2026-11-28T09:00:00Z","lastStop":"clean","downMillis":60000},
                           {"at":"2026-11-28T08:00:00Z","lastStop":"lost"},
                           {"at":"2026-11-28T07:00:00Z","lastStop":"none"}],
                 "more":true}""";

        asking(200, ledger, address -> {
            CommandLineRun run = run(address, "ledger");

            assertThat(run.status()).isZero();
            assertThat(run.out())
                    .containsPattern("2026-11-28 +3 +journal-push .* 7 to 9")
                    .containsPattern("2026-11-28 +1 +signature +default ")
                    .contains(
                            "started 2026-11-28T10:00:00Z",
                            "the last stop was not clean",
                            "the last stop was clean",
                            "the ledger before is lost with the store",
                            "the first one in this ledger");
            assertThat(run.err()).isEqualTo(lines("more: --last with a larger number, or --until with an earlier day"));
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            token status           | {"state":"needs-code","store":"found a damaged file"} | (?s)state +needs-code.*store +found a damaged file.*
            pushes get 7 --no-body | {"seq":7,"signature":{"header":"S","value":"00ff","matches":false}} | (?s).*signature +matches none of the secrets of now: 00ff.*
            pushes get 7 --no-body | {"seq":7,"signature":{"header":"S","value":"00ff","matches":true}} | (?s).*signature +matches, S: 00ff.*
            """)
    void showsWhatTheGatewayAnswers(String line, String answer, String shown) throws IOException {
        asking(200, answer, address -> {
            CommandLineRun run = run(address, line.split(" "));

            assertThat(run.err()).isEmpty();
            assertThat(run.out()).matches(shown);
        });
    }

    @Test
    void doesNotSayNoneOfASearchThatFailsBeforeItFindsAny() throws IOException {
        List<Reply> replies = List.of(
                new Reply(200, "application/json", "{\"actions\":[],\"next\":\"9\"}"),
                new Reply(500, "application/problem+json", "{\"detail\":\"it failed\"}"));

        asking(replies, address -> {
            CommandLineRun run = run(address, "audit");

            assertThat(run.out()).isEmpty();
            assertThat(run.err()).contains("--cursor 9", "holdfast: it failed").doesNotContain("none");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dead-letters retry --all --dry-run",
                "dead-letters retry --consumer mine --from 3 --to 5",
                "dead-letters discard --seq 7 --reason old",
                "pushes replay --from 1 --to 9 --rate 5 --consumer mine",
                "pushes replay --all --dry-run",
                "pushes replay --stop x",
                "quarantine verify --id 3 --dry-run",
                "quarantine discard --all --reason strays",
                "consumers pause mine",
                "token exchange --code x"
            })
    void asksWhatTheApisDocumentHas(String line) throws IOException {
        Map<String, String> asked = new ConcurrentHashMap<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.put(
                    exchange.getRequestURI().getPath(),
                    new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            exchange.sendResponseHeaders(503, -1);
            exchange.close();
        });
        server.start();
        try {
            run("http://127.0.0.1:" + server.getAddress().getPort(), line.split(" "));
        } finally {
            server.stop(0);
        }

        assertThat(asked).hasSize(1);
        asked.forEach(ApiDocument.shipped()::checkBody);
    }

    private static void assertThatItIsNoGateways(int status, String line, String answer, String missing)
            throws IOException {
        asking(
                status,
                answer,
                address -> assertThat(run(address, line.split(" ")))
                        .isEqualTo(new CommandLineRun(
                                1,
                                "",
                                lines("holdfast: found status " + status + " and no " + missing + " at " + address
                                        + ", expected a gateway's management port"))));
    }

    /** @param asks what asks the server at an address, which answers everything alike */
    private static void asking(int status, String answer, Consumer<String> asks) throws IOException {
        asking(List.of(new Reply(status, "application/json", answer)), asks);
    }

    private record Reply(int status, String type, String body) {}

    /** @param replies in turn, and then the last one */
    private static void asking(List<Reply> replies, Consumer<String> asks) throws IOException {
        Deque<Reply> left = new ArrayDeque<>(replies);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            Reply reply = left.size() > 1 ? left.remove() : left.element();
            exchange.getResponseHeaders().set("Content-Type", reply.type());
            exchange.sendResponseHeaders(reply.status(), 0);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(reply.body().getBytes(UTF_8));
            }
        });
        server.start();
        try {
            asks.accept("http://127.0.0.1:" + server.getAddress().getPort());
        } finally {
            server.stop(0);
        }
    }

    /** With {@code _} for an argument that is empty. */
    private static CommandLineRun run(String gateway, String... words) {
        return CommandLineRun.of(Stream.concat(Stream.of(words), Stream.of("--management", gateway))
                .map(word -> word.equals("_") ? "" : word)
                .toArray(String[]::new));
    }
}
