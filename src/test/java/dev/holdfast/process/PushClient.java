package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.signature.SignatureScheme;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends single pushes, one after the other, and asks the management port; notes every push it sent. */
final class PushClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int MOST_PUSHES = 5000;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final List<SentPush> sent = new ArrayList<>();
    private long number;

    /** A push with this event, unlike any other of this client, with some bytes to spare in it. */
    HttpResponse<String> send(URI webhook, String secret, String event, int padding)
            throws IOException, InterruptedException {
        String family = event.substring(0, event.indexOf('.'));
        String body = """
            {"id":"sub_e1_1735689600","event":"%s","enterprise_token":"e1","created_at":1735689600,"%s":\
            {"enterprise_id":4711,"dev_client_id":"dev-%d","page_from_url":"https://shop.example/","padding":"%s"}}\
            """.formatted(event, family, ++number, "x".repeat(padding));
        return send(webhook, secret, body.getBytes(StandardCharsets.UTF_8));
    }

    /** A push of exactly these bytes. */
    HttpResponse<String> send(URI webhook, String secret, byte[] body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(webhook)
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json; charset=utf-8")
                .header("Service-Signature", SignatureScheme.sign(body, secret.getBytes(StandardCharsets.UTF_8)))
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        long due = System.nanoTime();
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        sent.add(new SentPush(BodyDigest.of(body), due, response.statusCode()));
        return response;
    }

    /** A push like any other, with so many bytes to spare in it. */
    HttpResponse<String> push(Child gateway, int padding) throws IOException, InterruptedException {
        return send(gateway.webhook(), Installation.SECRET, "conversation.created", padding);
    }

    /** Such pushes until something else than {@code 200} comes, and returns that. */
    HttpResponse<String> pushUntilRefused(Child gateway, int padding) throws IOException, InterruptedException {
        for (int i = 0; i < MOST_PUSHES; i++) {
            HttpResponse<String> answer = push(gateway, padding);
            if (answer.statusCode() != 200) {
                return answer;
            }
        }
        throw new AssertionError(MOST_PUSHES + " pushes were all answered 200 (expected: a refusal before)");
    }

    /** Whether readiness is green. */
    boolean ready(Child gateway) throws IOException, InterruptedException {
        return get(gateway.management("/readyz")).statusCode() == 200;
    }

    /** Stops a gateway that was sent to by nobody else: its journal has all that was answered {@code 200}. */
    void assertAllKept(Child gateway, Path journal) throws IOException, InterruptedException {
        gateway.terminate();
        assertThat(new Evidence(sent(), KeptPush.all(journal), List.of()).journalComplaints())
                .isEmpty();
    }

    HttpResponse<String> get(URI url) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(url).timeout(TIMEOUT).build(), BodyHandlers.ofString());
    }

    /** Posts a JSON object. */
    HttpResponse<String> post(URI url, String json) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(url)
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    /** The sum of a metric over all its tags; 0 when there is none. */
    double metric(Child gateway, String name) throws IOException, InterruptedException {
        Matcher line = Pattern.compile("(?m)^" + name + "(?:\\{[^}]*})? (\\S+)$")
                .matcher(get(gateway.management("/metrics")).body());
        double sum = 0;
        while (line.find()) {
            sum += Double.parseDouble(line.group(1));
        }
        return sum;
    }

    /** Whether no consumer has anything left to handle. */
    boolean allDelivered(Child gateway) throws IOException, InterruptedException {
        return metric(gateway, "holdfast_consumer_lag_pushes") == 0;
    }

    /** Everything that was sent and answered. */
    List<SentPush> sent() {
        return List.copyOf(sent);
    }
}
