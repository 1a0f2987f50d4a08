package dev.holdfast.store;

/** The disk doesn't give what a store's directory holds: it may come back, or never. */
final class UnreadableStoreException extends StoreException {
    UnreadableStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
