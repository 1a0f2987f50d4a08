package dev.holdfast.quarantine;

/** The quarantine isn't open, or the disk fails it. */
public final class QuarantineException extends RuntimeException {
    QuarantineException(String message) {
        super(message);
    }

    QuarantineException(String message, Throwable cause) {
        super(message, cause);
    }
}
