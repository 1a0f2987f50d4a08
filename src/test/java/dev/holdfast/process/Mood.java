package dev.holdfast.process;

/** What a server makes of a push. The push's bytes decide it, so that a push meets the same mood however often it comes. */
enum Mood {
    /** 200. */
    TAKES,
    /** 200, after a while. */
    DAWDLES,
    /** 500 the first time. */
    STUMBLES,
    /** 503 with Retry-After the first time. */
    IS_BUSY,
    /** RST the first time. */
    HANGS_UP,
    /** A status that no further attempt can mend. */
    REFUSES,
    /** 200, after a while, for what was refused before. */
    REPENTS;

    /** Of a thousand pushes, forty are refused and twenty-five more have some trouble. */
    static Mood at(BodyDigest digest) {
        int lot = Integer.parseInt(digest.hex().substring(0, 6), 16) % 1000;
        if (lot < 40) {
            return REFUSES;
        }
        if (lot < 52) {
            return STUMBLES;
        }
        if (lot < 58) {
            return HANGS_UP;
        }
        if (lot < 61) {
            return DAWDLES;
        }
        return lot < 65 ? IS_BUSY : TAKES;
    }

    /** Whether only the first attempt meets with it. */
    boolean passes() {
        return this == STUMBLES || this == IS_BUSY || this == HANGS_UP;
    }
}
