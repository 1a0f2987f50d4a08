package dev.holdfast.receiver;

/**
 * The streams of HTTP/2, over all connections: as many at once as there is memory for, however many connections open theirs. Half
 * of them are anybody's, and beyond that each has its share as in a {@link Room}. Any thread.
 */
final class Streams {
    /** What comes of a stream before it is read, in bytes: as in HTTP/2 itself (RFC 9113, section 6.9.2). */
    static final int WINDOW = 65_535;

    /** What HTTP/2 recommends to permit at least (RFC 9113, section 6.5.2). */
    private static final int MOST_OF_A_CONNECTION = 100;

    private final int most;
    private final Holdings open;

    Streams(int most) {
        this.most = most;
        this.open = new Holdings(most);
    }

    /** How many a connection is offered: two of them together find no stream refused. */
    int perConnection() {
        return Math.max(1, Math.min(MOST_OF_A_CONNECTION, most / 4));
    }

    /** Whether {@code connection} may have another one, which is then to be {@link #close closed}. */
    synchronized boolean tryOpen(Peer connection) {
        boolean permitted = open.allow(connection.network(), connection, 1);
        if (permitted) {
            open.add(connection.network(), connection, 1);
        }
        return permitted;
    }

    synchronized void close(Peer connection) {
        open.add(connection.network(), connection, -1);
    }

    /** Whether there are so many that not everybody may have another one. */
    boolean isCrowded() {
        return count() >= most / 2;
    }

    synchronized long count() {
        return open.total();
    }
}
