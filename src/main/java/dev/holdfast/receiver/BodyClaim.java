package dev.holdfast.receiver;

/** What one body holds of a room, or waits for. */
abstract class BodyClaim {
    final String network;
    /** Tells those that want the same apart: the first came first. */
    final long number;
    /** When it came, to the grain of the sweeps. */
    final long since;

    long bytes;

    BodyClaim(String network, long number, long since, long bytes) {
        this.network = network;
        this.number = number;
        this.since = since;
        this.bytes = bytes;
    }

    /** Others need the room more: tells the body's owner, later. */
    abstract void evict();
}
