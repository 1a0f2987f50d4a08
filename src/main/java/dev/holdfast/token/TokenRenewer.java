package dev.holdfast.token;

import dev.holdfast.config.TokenConfig;
import dev.holdfast.consumer.AccessToken;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a good token available: whenever something has happened or time has passed, decides whether a request is to be
 * made, and which. At most one is under way, and the {@link RenewalSchedule} says when the next may follow. On one
 * context.
 */
final class TokenRenewer {
    private static final Logger LOG = LoggerFactory.getLogger(TokenRenewer.class);

    private final TokenClient client;
    private final TokenMemory memory;
    private final Timing timing;
    private final TokenWatch watch;
    private final RenewalSchedule schedule;
    private final RequestChoice choice;
    private final PendingRequests pending;
    private @Nullable CurrentToken current;
    private @Nullable OperatorExchange operator;
    private TokenStatus.@Nullable FailedRequest lastFailure;
    private @Nullable Future<?> underWay;
    private Runnable cancelTimer = () -> {};
    private boolean loaded;
    private boolean stopped;

    /** An operator's code, and the promise of its result. */
    private record OperatorExchange(String code, Promise<Void> done) {}

    /** A request under way, when it was sent, and the operator's exchange that it is for; null if there is none. */
    private record Attempt(
            TokenRequest request,
            Instant sentAt,
            long sentNanos,
            @Nullable OperatorExchange operator) {}

    TokenRenewer(
            TokenConfig config,
            TokenClient client,
            TokenMemory memory,
            Timing timing,
            RenewalSchedule schedule,
            TokenWatch watch) {
        this.client = client;
        this.memory = memory;
        this.timing = timing;
        this.schedule = schedule;
        this.watch = watch;
        this.pending = new PendingRequests(timing);
        this.choice = new RequestChoice(config, memory);
    }

    /** Begins with what was kept. Returns at once. */
    void start() {
        memory.load().onSuccess(lastRequest -> {
            lastRequest.ifPresent(schedule::resume);
            TokenPair pair = memory.pair();
            if (pair != null) {
                current = CurrentToken.kept(pair, timing, schedule.renewalAge(pair.lifetime()));
                LOG.info("an access token was kept, good until {}", pair.expiresAt());
            }
            loaded = true;
            tick();
            answerWaiting();
        });
    }

    /** Makes no further request; succeeds when the one on its way is answered and its token kept. */
    Future<Void> stop() {
        stopped = true;
        cancelTimer.run();
        Future<?> last = underWay == null ? Future.succeededFuture() : underWay;
        return last.transform(done -> memory.settled()).andThen((done, failure) -> {
            answerWaiting();
            settle(operator, gatewayStops());
        });
    }

    /** A token that is good now, or the one that the request under way brings; fails with the state as the message. */
    Future<AccessToken> current() {
        if (current == null || current.isDue()) {
            tick();
        }
        AccessToken good = goodToken();
        if (good != null) {
            return Future.succeededFuture(good);
        }
        return noneComes() ? Future.failedFuture(state().toString()) : pending.add(() -> state().toString());
    }

    /** Exchanges an operator's code as soon as a request may be made; fails with {@link TokenFailure} when that fails. */
    Future<Void> exchange(String code) {
        if (stopped) {
            return Future.failedFuture(gatewayStops());
        }
        if (operator != null) {
            return Future.failedFuture(new IllegalStateException("another exchange is on its way"));
        }
        operator = new OperatorExchange(code, Promise.promise());
        Future<Void> done = operator.done().future();
        tick();
        return done;
    }

    private static TokenFailure gatewayStops() {
        return new TokenFailure(FailureKind.BROKEN, "the gateway stops");
    }

    TokenState state() {
        if (!loaded) {
            return TokenState.STARTING;
        }
        if (current != null && current.isGood() && !current.isDue()) {
            return TokenState.VALID;
        }
        if (!choice.needsNobody(current)) {
            return TokenState.NEEDS_CODE;
        }
        return choice.renews(current) ? TokenState.RENEWING : TokenState.EXCHANGING;
    }

    TokenStatus status() {
        return new TokenStatus(state(), goodToken(), underWay != null, lastFailure, memory.problem());
    }

    private void tick() {
        if (stopped || !loaded || underWay != null) {
            return;
        }
        cancelTimer.run();
        tellState();
        TokenRequest next = choice.next(current, operator == null ? null : operator.code());
        Duration wait = operator != null ? schedule.untilAllowed() : schedule.untilDue(current, next != null);
        if (!wait.isZero() && !wait.isNegative()) {
            cancelTimer = schedule.wake(wait, this::wake);
        } else if (next != null) {
            send(next);
        } else {
            remind();
        }
    }

    private void wake() {
        memory.settle();
        tick();
    }

    private void send(TokenRequest request) {
        Attempt attempt = new Attempt(request, timing.wall(), timing.nanos(), operator);
        schedule.requestBegins();
        Future<@Nullable TokenFailure> answered = memory.requestBegins(attempt.sentAt())
                .compose(noted -> client.ask(request, attempt.sentAt()))
                .compose(pair -> granted(attempt, pair), failure -> refused(attempt, failure));
        underWay = answered;
        answered.onComplete((failure, defect) -> {
            underWay = null;
            settle(attempt.operator(), defect == null ? failure : defect);
            tellState();
            answerWaiting();
            tick();
        });
    }

    /** Succeeds with null, once the pair is kept. */
    private Future<@Nullable TokenFailure> granted(Attempt attempt, TokenPair pair) {
        // The old pair is in use, and in the store, until the new one is stored.
        return memory.keep(pair, attempt.request().usesCode()).map(kept -> {
            CurrentToken next =
                    new CurrentToken(pair, timing, schedule.renewalAge(pair.lifetime()), attempt.sentNanos());
            current = next;
            lastFailure = null;
            schedule.succeeded();
            choice.succeeded();
            LOG.info(
                    "the {} gave an access token, good until {}",
                    attempt.request().kind(),
                    pair.expiresAt());
            watch.answered(attempt.request().kind(), null);
            watch.changed(next.accessToken());
            return null;
        });
    }

    /** Succeeds with the failure, once a refusal is kept. */
    private Future<@Nullable TokenFailure> refused(Attempt attempt, Throwable cause) {
        TokenFailure failure = cause instanceof TokenFailure named
                ? named
                : new TokenFailure(FailureKind.BROKEN, cause.getClass().getSimpleName());
        TokenRequest request = attempt.request();
        lastFailure = new TokenStatus.FailedRequest(request.kind(), failure, timing.wall());
        watch.answered(request.kind(), failure.kind());
        Future<Void> kept = failure.isRejection() && request.usesCode() != null && attempt.operator() == null
                ? memory.refused(request.usesCode())
                : Future.succeededFuture();
        if (attempt.operator() == null) {
            planAfter(request, failure);
        } else {
            LOG.warn("the {} of an operator's code failed: {}", request.kind(), failure.getMessage());
        }
        tellState();
        return kept.map(failure);
    }

    private void planAfter(TokenRequest request, TokenFailure failure) {
        if (!failure.isRejection()) {
            Duration wait = schedule.failed();
            LOG.warn("the {} failed, again in {} s: {}", request.kind(), wait.toSeconds(), failure.getMessage());
            return;
        }
        choice.refused(request.kind());
        LOG.warn("the {} was refused: {}", request.kind(), failure.getMessage());
        if (choice.needsNobody(current)) {
            schedule.proceed();
        } else {
            remind();
        }
    }

    /** Warns the operator, and schedules the next reminder or the next attempt at what was refused. */
    private void remind() {
        schedule.remindAgain(current, memory.freshCode() == null ? 0 : memory.refusals());
        LOG.warn("{}", TokenState.advice(current, memory));
        if (underWay == null) {
            tick();
        }
    }

    private void tellState() {
        AccessToken good = goodToken();
        watch.state(state(), good == null ? null : good.expiresAt());
    }

    private void settle(@Nullable OperatorExchange exchange, @Nullable Throwable failure) {
        if (exchange == null) {
            return;
        }
        operator = null;
        if (failure == null) {
            exchange.done().complete();
        } else {
            exchange.done().fail(failure);
        }
    }

    private void answerWaiting() {
        AccessToken good = goodToken();
        if (good != null || noneComes()) {
            pending.answer(good, state().toString());
        }
    }

    private boolean noneComes() {
        return stopped || (loaded && underWay == null);
    }

    private @Nullable AccessToken goodToken() {
        return current != null && current.isGood() ? current.accessToken() : null;
    }
}
