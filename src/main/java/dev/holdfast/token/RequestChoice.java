package dev.holdfast.token;

import dev.holdfast.config.RenewalConfig;
import dev.holdfast.config.TokenConfig;
import org.jspecify.annotations.Nullable;

/**
 * Decides which request is next, from what is available for one and what was refused: a renewal, or else the exchange
 * of a code. On the token's context.
 */
final class RequestChoice {
    private final TokenConfig config;
    private final TokenMemory memory;
    private boolean renewalRefused;
    private boolean codeRefusedLast;

    RequestChoice(TokenConfig config, TokenMemory memory) {
        this.config = config;
        this.memory = memory;
    }

    /** A request brought a token. */
    void succeeded() {
        renewalRefused = false;
    }

    /** The service refused a request that was not made for an operator. */
    void refused(TokenRequest.Kind kind) {
        renewalRefused |= kind == TokenRequest.Kind.RENEWAL;
        codeRefusedLast = kind == TokenRequest.Kind.EXCHANGE;
    }

    /** Whether a token can be renewed, as far as anybody can tell. */
    boolean renews(@Nullable CurrentToken current) {
        return canRenew(current) && !renewalRefused;
    }

    /** Whether there is a way to a token that needs no operator, as far as anybody can tell. */
    boolean needsNobody(@Nullable CurrentToken current) {
        return renews(current) || (memory.freshCode() != null && memory.refusals() == 0);
    }

    private boolean canRenew(@Nullable CurrentToken current) {
        return config.renewal() != null
                && current != null
                && !current.pair().refreshToken().isEmpty();
    }

    /**
     * The next request; null if there is nothing to make one with.
     *
     * @param operatorsCode is used first; null if there is none
     */
    @Nullable
    TokenRequest next(@Nullable CurrentToken current, @Nullable String operatorsCode) {
        String code = operatorsCode != null ? operatorsCode : memory.freshCode();
        RenewalConfig renewal = config.renewal();
        // If both were refused they take turns.
        boolean renewalsTurn =
                operatorsCode == null && canRenew(current) && (!renewalRefused || code == null || codeRefusedLast);
        if (renewalsTurn && renewal != null && current != null) {
            return TokenRequest.renewal(config, renewal, current.pair());
        }
        return code == null ? null : TokenRequest.exchange(config, code);
    }
}
