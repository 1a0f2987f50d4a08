package dev.holdfast.token;

import dev.holdfast.config.TokenConfig;
import dev.holdfast.consumer.FailureText;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.ext.web.client.HttpRequest;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import io.vertx.ext.web.codec.BodyCodec;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the service for tokens, one request at a time, each on a connection of its own. Its request URIs hold secrets:
 * they are in no log, and what fails, fails with a {@link TokenFailure} that quotes nothing of them. On one context.
 */
final class TokenClient {
    private static final int LARGEST_ANSWER = 64 * 1024;

    private final Vertx vertx;
    private final TokenConfig config;
    private final AnswerReader reader;
    private final WebClientOptions options;

    TokenClient(Vertx vertx, TokenConfig config) {
        this.vertx = vertx;
        this.config = config;
        this.reader = new AnswerReader(config.expiresInUnit(), config.renewal() != null);
        this.options = options(config);
    }

    private static WebClientOptions options(TokenConfig config) {
        long timeout = Math.min(config.requestTimeout().toMillis(), Integer.MAX_VALUE);
        WebClientOptions options =
                new WebClientOptions().setFollowRedirects(false).setUserAgent("Holdfast");
        options.setKeepAlive(false)
                .setSslHandshakeTimeout(timeout)
                .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
                .setVerifyHost(true)
                .setDecompressionSupported(true)
                .setMaxHeaderSize(LARGEST_ANSWER)
                .setConnectTimeout((int) timeout);
        if (config.trust() != null) {
            options.setTrustOptions(
                    new PemTrustOptions().addCertPath(config.trust().toString()));
        }
        return options;
    }

    /**
     * Sends the request; fails with a {@link TokenFailure} and nothing else. Never while another one is on its way.
     *
     * @param sentAt now, or a little before: what the pair's age is counted from
     */
    Future<TokenPair> ask(TokenRequest request, Instant sentAt) {
        Promise<Integer> status = Promise.promise();
        BoundedBody body = new BoundedBody(LARGEST_ANSWER, () -> status.tryFail(new OversizedAnswerException()));
        // One client for each request: once it is closed it sends nothing, even if its connection is still being made.
        WebClient client = WebClient.wrap(
                vertx.httpClientBuilder()
                        .with(options)
                        // Otherwise Vert.x logs what it can't read, and that may contain what was sent.
                        .withConnectHandler(connection -> connection.exceptionHandler(broken -> {}))
                        .build(),
                options);
        try {
            send(client, request, body).onComplete(answer -> status.tryComplete(answer.statusCode()), status::tryFail);
        } catch (RuntimeException e) {
            status.tryFail(e);
        }
        // not Future.timeout(), which leaves the context
        long timer =
                vertx.setTimer(config.requestTimeout().toMillis(), expired -> status.tryFail(new TimeoutException()));
        return status.future()
                .map(answered -> reader.read(answered, body.bytes(), request, sentAt))
                .recover(this::explained)
                .andThen((pair, failure) -> {
                    vertx.cancelTimer(timer);
                    client.close();
                });
    }

    private Future<HttpResponse<Void>> send(WebClient client, TokenRequest request, BoundedBody body) {
        HttpRequest<Void> http = client.requestAbs(HttpMethod.GET, config.baseUrl() + request.path())
                .putHeader(HttpHeaders.ACCEPT, "application/json")
                .as(BodyCodec.pipe(body));
        request.parameters().forEach(http::addQueryParam);
        return http.send();
    }

    /** What is wrong with the file of {@code trust} is said of that: Vert.x fails with no word of which file it is. */
    private Future<TokenPair> explained(Throwable failure) {
        TokenFailure named = named(failure);
        return failure instanceof TokenFailure
                ? Future.failedFuture(named)
                : vertx.executeBlocking(config::trustMistake)
                        .compose(mistake -> Future.failedFuture(
                                mistake.isEmpty() ? named : new TokenFailure(FailureKind.TLS, mistake)));
    }

    private static TokenFailure named(Throwable failure) {
        if (failure instanceof TokenFailure named) {
            return named;
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            FailureKind kind = kind(cause);
            if (kind != null) {
                // What is said of a certificate or an address has nothing of the request in it.
                return new TokenFailure(
                        kind,
                        cause instanceof SSLHandshakeException || kind == FailureKind.UNREACHABLE
                                ? new Redaction(List.of()).apply(FailureText.of(cause))
                                : cause.getClass().getSimpleName());
            }
        }
        return new TokenFailure(FailureKind.BROKEN, failure.getClass().getSimpleName());
    }

    private static @Nullable FailureKind kind(Throwable cause) {
        if (cause instanceof OversizedAnswerException) {
            return FailureKind.OVERSIZED;
        }
        if (cause instanceof TimeoutException) {
            return FailureKind.TIMED_OUT;
        }
        if (cause instanceof SSLException || cause instanceof GeneralSecurityException) {
            return FailureKind.TLS;
        }
        boolean unreachable = cause instanceof ConnectException
                || cause instanceof UnknownHostException
                || cause instanceof NoRouteToHostException;
        return unreachable ? FailureKind.UNREACHABLE : null;
    }

    /** The answer is longer than allowed. */
    private static final class OversizedAnswerException extends RuntimeException {
        OversizedAnswerException() {
            super("found an answer of more than " + LARGEST_ANSWER + " bytes", null, false, false);
        }
    }
}
