package dev.holdfast.consumer;

/** There is no good access token at the moment. */
public final class TokenUnavailableException extends RuntimeException {
    private final String state;

    TokenUnavailableException(String state) {
        super("no access token, the state is " + state, null, false, false);
        this.state = state;
    }

    /**
     * Why: {@code exchanging} and {@code renewing} pass by themselves, {@code needs-code} waits for an operator,
     * {@code not-configured} means that the configuration has no {@code token} section.
     */
    public String state() {
        return state;
    }
}
