package dev.holdfast.store;

/** What a store's directory holds is not what was written. */
final class DamagedStoreException extends Exception {
    DamagedStoreException(String message) {
        super(message);
    }

    DamagedStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
