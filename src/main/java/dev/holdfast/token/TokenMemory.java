package dev.holdfast.token;

import dev.holdfast.config.TokenConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is kept of the token, in memory and in the {@link TokenStore}. If the store fails, everything goes on, and
 * storing is tried again.
 */
final class TokenMemory {
    private static final Logger LOG = LoggerFactory.getLogger(TokenMemory.class);
    /** How often a configured code is sent although the service refuses it: it may not be the code that it refuses. */
    static final int MOST_REFUSALS = 5;

    private final Vertx vertx;
    private final TokenConfig config;
    private final TokenStore store;
    private final String service;
    private PersistedToken kept;
    private boolean lockedOut;
    private boolean unsaved;
    private Future<Void> saving = Future.succeededFuture();

    private record Loaded(@Nullable PersistedToken kept, Optional<Instant> lastRequest) {}

    TokenMemory(Vertx vertx, TokenConfig config, TokenStore store) {
        this.vertx = vertx;
        this.config = config;
        this.store = store;
        this.service = Fingerprint.ofService(config);
        this.kept = PersistedToken.nothing(service);
    }

    /** Reads what was kept; succeeds with the time of the last request, always. */
    Future<Optional<Instant>> load() {
        return vertx.executeBlocking(() -> new Loaded(store.load(), store.lastRequest()))
                .map(loaded -> {
                    PersistedToken found = loaded.kept();
                    if (found != null) {
                        kept = found;
                        if (found.pair() != null && pair() == null) {
                            LOG.warn(
                                    "the kept token belongs to another token.base-url, path or app-id: it is not used, and kept"
                                            + " for those");
                        }
                    }
                    // A file that can't be opened now may hold a good token, and know that the code is used up.
                    lockedOut = found == null && store.withheld();
                    return loaded.lastRequest();
                })
                .otherwise(failure -> {
                    LOG.error("the kept token can't be loaded: {}", failure.toString());
                    return Optional.empty();
                });
    }

    @Nullable
    TokenPair pair() {
        return kept.pairFor(service);
    }

    /** The configured code if it may be sent; null if it was used, was refused too often, or that isn't known. */
    @Nullable
    String freshCode() {
        if (config.code() == null || lockedOut) {
            return null;
        }
        String code = config.code().reveal();
        boolean usedUp = kept.usedCodes().contains(Fingerprint.ofCode(config, code));
        return usedUp || refusals() >= MOST_REFUSALS ? null : code;
    }

    /**
     * How often the configured code was refused in the form in which it is sent now, by this process and earlier ones.
     */
    int refusals() {
        return config.code() == null
                ? 0
                : kept.refusals(Fingerprint.ofCode(config, config.code().reveal()));
    }

    /** Whether the configured code is not sent, because what is kept can't be opened. */
    boolean isLockedOut() {
        return lockedOut;
    }

    /** What is wrong with the store, fit to be shown; empty when nothing is. */
    String problem() {
        return unsaved ? "the token could not be stored and will be lost with the process" : store.problem();
    }

    /**
     * Stores a new pair, and that a code is used up. Always succeeds, once it is stored or could not be.
     *
     * @param usedCode fingerprint; null: none
     */
    Future<Void> keep(TokenPair pair, @Nullable String usedCode) {
        kept = kept.next(service, pair, usedCode);
        lockedOut = false;
        return save();
    }

    /** Stores that this code was refused once more, which does not use it up. Succeeds as {@link #keep} does. */
    Future<Void> refused(String code) {
        kept = kept.refusing(code);
        return save();
    }

    /** Tries again to store what could not be stored. */
    void settle() {
        if (unsaved && saving.isComplete()) {
            save();
        }
    }

    /** For the stop: succeeds when no storing is under way; what could not be stored is tried a last time. */
    Future<Void> settled() {
        return saving.compose(done -> {
            settle();
            return saving;
        });
    }

    /** Notes that a request begins; succeeds always. */
    Future<Void> requestBegins(Instant now) {
        return vertx.<Void>executeBlocking(() -> {
                    store.requestBegins(now);
                    return null;
                })
                .otherwise(failure -> {
                    LOG.warn("the time of the request for a token could not be noted: {}", failure.toString());
                    return null;
                });
    }

    private Future<Void> save() {
        PersistedToken latest = kept;
        saving = vertx.<Void>executeBlocking(() -> {
                    store.save(latest);
                    return null;
                })
                .andThen((done, failure) -> unsaved = failure != null)
                .otherwise(failure -> {
                    LOG.error("the token could not be stored, which is tried again: {}", failure.toString());
                    return null;
                });
        return saving;
    }
}
