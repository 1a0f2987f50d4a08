package dev.holdfast.store;

/** A store that this process must not touch: of a newer version, or in use. */
final class RefusedStoreException extends StoreException {
    RefusedStoreException(String message) {
        super(message);
    }
}
