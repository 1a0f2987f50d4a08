package dev.holdfast.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.holdfast.FileTree;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whatever the parameters of a management request are, it is answered in JSON, and never with a failure of the gateway's own.
 * An input is which request, and its query, path or body.
 */
public final class ManagementFuzz {
    /** With a query behind them. */
    private static final List<String> LISTS =
            List.of("pushes", "dead-letters", "quarantine", "ledger", "replays", "discards", "audit");
    /** These answer in another form, or without an end. */
    private static final Pattern NO_JSON = Pattern.compile("tap|openapi", Pattern.CASE_INSENSITIVE);

    private static final List<String> POSTS = List.of(
            "replays",
            "dead-letters/retry",
            "dead-letters/discard",
            "quarantine/verify",
            "quarantine/discard",
            "replays/x/stop",
            "consumers/mine/pause",
            "consumers/mine/resume");
    private static final int LONGEST = 2000;

    private static @Nullable Path directory;
    private static @Nullable GatewayUnderTest gateway;
    private static @Nullable RawConnection connection;

    private ManagementFuzz() {}

    public static List<String> seeds() {
        return List.of(
                "\0from=1&to=2&id=sub_e_1&event=client.*&since=2026-01-31T00:00:00Z&until=2026-02-01T00:00:00Z&limit=10",
                "\1consumer=mine&seq=1&limit=5&cursor=bWluZTo3",
                "\2endpoint=default&cause=mismatch&id=1&limit=5",
                "\3since=2026-01-31&until=2026-02-01&limit=10000",
                "\5consumer=mine&cause=age&limit=5",
                "\6limit=5&after=1",
                "\7pushes/1",
                "\7quarantine/1",
                "\7consumers/mine",
                "\10{\"from\":1,\"to\":2,\"consumer\":\"mine\",\"rate\":10,\"dryRun\":true}",
                "\10{\"event\":\"client.*\",\"since\":\"2026-01-31T00:00:00Z\",\"dryRun\":true}",
                "\11{\"consumer\":\"mine\",\"seq\":1}",
                "\12{\"all\":true,\"reason\":\"x\"}",
                "\13{\"endpoint\":\"default\",\"cause\":\"mismatch\"}",
                "\14{\"all\":true,\"reason\":\"x\"}",
                "\15{}",
                "\16{\"reason\":\"x\"}",
                "\17{}");
    }

    /** Loads what the inputs need, before they are timed. */
    public static void fuzzerInitialize() {
        start();
        seeds().forEach(seed -> fuzzerTestOneInput(seed.getBytes(ISO_8859_1)));
    }

    private static void start() {
        try {
            Path made = Files.createTempDirectory("holdfast");
            directory = made;
            GatewayUnderTest started =
                    GatewayUnderTest.start(new GatewaySettings().consumer("mine", "*", new Deliveries()), made);
            started.push(GatewayUnderTest.envelope("client.created", 1));
            started.send(GatewayUnderTest.request(GatewayUnderTest.bytes("{}")));
            gateway = started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void stop() throws IOException {
        if (connection != null) {
            connection.close();
            connection = null;
        }
        if (gateway != null) {
            gateway.close();
            gateway = null;
        }
        if (directory != null) {
            FileTree.delete(directory);
            directory = null;
        }
    }

    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length == 0 || data.length > LONGEST) {
            return;
        }
        if (gateway == null) {
            start();
        }
        HttpAnswer answer = answer(request(data));
        String type = answer.status() >= 400 ? "application/problem+json" : "application/json";
        if (answer.status() >= 500 || !type.equals(answer.header("content-type"))) {
            throw new AssertionError("found " + answer + ", expected JSON and no failure");
        }
        try {
            JsonObject json = new JsonObject(answer.body());
            if (answer.status() >= 400
                    && (json.getString("detail").isBlank()
                            || (json.getString("detail").contains("xception") && !isIn(data, "xception")))) {
                throw new AssertionError("found " + answer + ", expected an error in words");
            }
        } catch (DecodeException e) {
            throw new AssertionError("found " + answer + ", expected JSON", e);
        }
    }

    /** What was found is told, whatever it says. */
    private static boolean isIn(byte[] data, String text) {
        return new String(data, ISO_8859_1).contains(text);
    }

    private static byte[] request(byte[] data) {
        int which = (data[0] & 0xff) % (LISTS.size() + 1 + POSTS.size());
        String rest = new String(data, 1, data.length - 1, ISO_8859_1);
        String head;
        String body = "";
        if (which < LISTS.size()) {
            head = "GET /api/v1/" + LISTS.get(which) + "?" + target(rest);
        } else if (which == LISTS.size()) {
            head = "GET /api/v1/" + target(rest);
        } else {
            head = "POST /api/v1/" + POSTS.get(which - LISTS.size() - 1);
            body = rest;
        }
        return (head + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body)
                .getBytes(ISO_8859_1);
    }

    /** What can stand in a first line and leads nowhere else: the line itself is not what is tried here. */
    private static String target(String text) {
        return NO_JSON.matcher(text.replaceAll("[^!-~\u00a1-\u00ff]", "+").replace("..", ""))
                .replaceAll("");
    }

    private static HttpAnswer answer(byte[] request) {
        if (connection == null) {
            connection = new RawConnection(gateway.gateway().managementPort());
        }
        HttpAnswer answer = connection.send(request).answer();
        if ("close".equals(answer.header("connection"))) {
            connection.close();
            connection = null;
        }
        return answer;
    }
}
