package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.holdfast.config.Secret;
import dev.holdfast.config.TimeSpan;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertPathBuilderException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** Talks to a running gateway's management API. Its failures say where it tried, and quote nothing that was sent. */
final class ManagementClient {
    /** Longer than a token's exchange that first has to wait for another request. */
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final JsonMapper JSON = new JsonMapper();
    private static final String PROBLEM = "detail";
    private static final String PROBLEMS = "application/problem+json";
    private static final String EVENTS = "text/event-stream";
    private static final String API = "/api/v1";
    private static final int UNAUTHORIZED = 401;
    private static final int BAD_REQUEST = 400;

    private final URI address;
    private final @Nullable Secret bearer;
    private final HttpClient http;
    private final Duration timeout;

    /** What the gateway says is wrong (RFC 9457). */
    static final class ProblemException extends IOException {
        private static final long serialVersionUID = 1L;
        private final int status;

        ProblemException(int status, String detail) {
            super(detail);
            this.status = status;
        }

        /** Whether the request itself was wrong. */
        boolean isMisuse() {
            return status == BAD_REQUEST;
        }
    }

    /**
     * Of one gateway.
     *
     * @param bearer null: none is sent
     * @param trust null: what Java trusts
     */
    ManagementClient(URI address, @Nullable Secret bearer, @Nullable SSLContext trust) {
        this(address, bearer, http(trust), TIMEOUT);
    }

    private ManagementClient(URI address, @Nullable Secret bearer, HttpClient http, Duration timeout) {
        this.address = address;
        this.bearer = bearer;
        this.http = http;
        this.timeout = timeout;
    }

    private static HttpClient http(@Nullable SSLContext trust) {
        HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10));
        return (trust == null ? client : client.sslContext(trust)).build();
    }

    /** The same client with another time to wait for an answer, or for a stream's next sign of life. */
    ManagementClient within(Duration timeout) {
        return new ManagementClient(address, bearer, http, timeout);
    }

    /**
     * Asks for something.
     *
     * @param path below {@code /api/v1}
     * @param field that the answer of a gateway has if it is no problem
     */
    JsonNode get(String path, String field) throws IOException, InterruptedException {
        return send(request(path).GET(), field);
    }

    /** The same with a body. */
    JsonNode post(String path, RequestParameters body, String field) throws IOException, InterruptedException {
        return send(
                request(path)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body.object()))),
                field);
    }

    /**
     * The lines of an answer that goes on until either side ends it; to be closed. It also ends when the gateway gives
     * no sign of life for too long.
     */
    BufferedReader stream(String path) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = send(request(path).GET(), BodyHandlers.ofInputStream());
        if (!isOf(EVENTS, response)) {
            try (InputStream body = response.body()) {
                answer(response, body.readAllBytes(), EVENTS);
            }
        }
        return new BufferedReader(
                new InputStreamReader(new LiveInput(response.body(), timeout), StandardCharsets.UTF_8));
    }

    URI address() {
        return address;
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + API + path));
        return bearer == null ? request : request.header("Authorization", "Bearer " + bearer.reveal());
    }

    private JsonNode send(HttpRequest.Builder request, String field) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = send(request, BodyHandlers.ofByteArray());
        return answer(response, response.body(), field);
    }

    private <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        HttpResponse<T> response;
        try {
            response = awaited(request.build(), handler);
        } catch (SSLHandshakeException e) {
            throw noHandshake(e);
        } catch (IOException e) {
            throw noAnswer(e);
        }
        if (response.statusCode() == UNAUTHORIZED) {
            throw new IOException("the gateway at " + address
                    + (bearer == null
                            ? " expects its management token"
                            : " refuses this token, and expects its management token")
                    + ": --token or the environment variable HOLDFAST_MANAGEMENT_TOKEN");
        }
        return response;
    }

    /**
     * Waits for the answer. The request's own timeout is not used: some versions of Java include the body in it, and a
     * stream's has no end.
     */
    private <T> HttpResponse<T> awaited(HttpRequest request, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<T>> response = http.sendAsync(request, handler);
        try {
            return response.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("no answer");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } finally {
            response.cancel(true);
        }
    }

    private static boolean isOf(String type, HttpResponse<?> response) {
        return response.headers().firstValue("Content-Type").orElse("").startsWith(type);
    }

    private JsonNode answer(HttpResponse<?> response, byte[] body, String field) throws IOException {
        int status = response.statusCode();
        JsonNode json;
        try {
            json = JSON.readTree(body);
        } catch (IOException e) {
            throw noGateway(status, "no JSON");
        }
        if (status >= BAD_REQUEST
                && isOf(PROBLEMS, response)
                && json.path(PROBLEM).isTextual()) {
            throw new ProblemException(status, json.get(PROBLEM).asText());
        }
        if (!json.has(field)) {
            throw noGateway(status, "no \"" + field + "\"");
        }
        return json;
    }

    private IOException noHandshake(SSLHandshakeException failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return new IOException(
                cause instanceof CertPathBuilderException
                        ? "found no certificate that is trusted at " + address + " (" + failure.getMessage()
                                + "), expected one: --trust FILE names others than Java trusts"
                        : "found no TLS that can be used at " + address + " ("
                                + cause.getClass().getSimpleName() + ": " + cause.getMessage()
                                + "), expected a gateway's, with a certificate that is good now and for this address",
                failure);
    }

    private IOException noAnswer(IOException cause) {
        boolean connected = cause instanceof HttpTimeoutException && !(cause instanceof HttpConnectTimeoutException);
        return new IOException(
                connected
                        ? "found no answer at " + address + " within " + TimeSpan.show(timeout)
                                + ": the gateway may still be at it"
                        : "found no gateway at " + address + " ("
                                + cause.getClass().getSimpleName()
                                + "), expected a running one's management port, by https where it has management.tls",
                cause);
    }

    private IOException noGateway(int status, String found) {
        return new IOException("found status " + status + " and " + found + " at " + address
                + ", expected a gateway's management port");
    }
}
