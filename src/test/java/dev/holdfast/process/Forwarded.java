package dev.holdfast.process;

/**
 * One request that a server behind an {@code http} consumer got.
 *
 * @param life the gateway's that it came from
 * @param replay whether it was marked as replayed
 * @param at {@link System#nanoTime()}
 */
record Forwarded(String life, String lane, long seq, BodyDigest digest, boolean replay, Outcome outcome, long at) {
    /** What became of it. */
    enum Outcome {
        /** Answered 200. */
        TAKEN,
        /** Answered so that no further attempt is of use. */
        REFUSED,
        /** To come again. */
        FAILED,
        /** The signature was not the one over the body. */
        FORGED
    }

    boolean isTaken() {
        return outcome == Outcome.TAKEN;
    }

    boolean isRefused() {
        return outcome == Outcome.REFUSED;
    }

    DiaryEntry entry() {
        return new DiaryEntry(life, lane, seq, digest);
    }
}
