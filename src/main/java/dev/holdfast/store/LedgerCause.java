package dev.holdfast.store;

import java.util.List;

/** Causes in the {@link Ledger} beside those for which the receiver refuses requests. They are kept: never renamed. */
public final class LedgerCause {
    /** Pushes that no consumer subscribed to. */
    public static final String UNSUBSCRIBED = "unsubscribed";
    /** Files of the journal that were found damaged, each once. */
    public static final String JOURNAL_FILE = "journal-file-damaged";
    /** Kept pushes that are missing or can't be read back, each once. */
    public static final String JOURNAL_PUSH = "journal-push-lost";
    /** Pushes that a consumer had not had, given up for it on a full disk. */
    public static final String GIVEN_UP = "given-up";
    /** Pushes that a replay had not come to, given up on a full disk. */
    public static final String REPLAY_GIVEN_UP = "replay-given-up";
    /** Stores that were found damaged, set aside and made anew. */
    static final String STORE_SET_ASIDE = "store-set-aside";
    /** Durable writes to the store that are gone because its log was damaged. */
    static final String STORE_UNDONE = "store-write-undone";
    /** Before {@code count} or {@code age}: dead letters that this bound gave up. */
    static final String DEAD_LETTER_EVICTED = "dead-letter-evicted-";

    /** All of these. */
    static final List<String> ALL = List.of(
            UNSUBSCRIBED,
            JOURNAL_FILE,
            JOURNAL_PUSH,
            GIVEN_UP,
            REPLAY_GIVEN_UP,
            STORE_SET_ASIDE,
            STORE_UNDONE,
            DEAD_LETTER_EVICTED + "count",
            DEAD_LETTER_EVICTED + "age");

    private LedgerCause() {}
}
