package dev.holdfast.token;

/** A file of the token store can't be used. The message says what was found and expected, and quotes nothing. */
final class UnreadableTokenException extends Exception {
    UnreadableTokenException(String message) {
        super(message);
    }
}
