package dev.holdfast.store;

/** The small state beside the journal, by kinds. Any thread. */
public interface Store extends AutoCloseable {
    /** How far consumers have come. */
    Positions positions();

    /** What they still have to handle below. */
    BlockedPushes blockedPushes();

    /** What else is kept of them. */
    ConsumerMarks consumerMarks();

    /** What they failed for good. */
    DeadLetters deadLetters();

    /** What is delivered again. */
    Replays replays();

    /** What was refused or lost, and when the gateway was down. */
    Ledger ledger();

    /** Who changed what. */
    Audit audit();

    /** The index that finds duplicates. */
    Digests digests();

    /** Whether it takes what it is told. */
    boolean writable();

    /** Why it takes nothing, in words that begin with it; empty: it does. */
    String closedBecause();

    /** What was found damaged in the life of this process; empty: nothing. */
    String notice();

    /** Makes durable what was handed over before, or fails it when the disk does, then closes. Blocks. Idempotent. */
    @Override
    void close();
}
