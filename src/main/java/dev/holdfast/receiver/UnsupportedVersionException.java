package dev.holdfast.receiver;

/** A request of an HTTP version that this server doesn't speak (RFC 9110, section 15.6.6). */
final class UnsupportedVersionException extends Exception {
    private static final long serialVersionUID = 1L;

    UnsupportedVersionException(String version) {
        super("found " + version + " (expected: HTTP/1.0 or HTTP/1.1)");
    }
}
