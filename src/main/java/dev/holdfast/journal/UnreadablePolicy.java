package dev.holdfast.journal;

import java.io.IOException;

/** Who goes through a segment says by this which blocks that can't be read count as damaged. */
interface UnreadablePolicy {
    /** None does: the reading fails. */
    UnreadablePolicy NEVER = block -> false;

    UnreadablePolicy ALWAYS = block -> true;

    /**
     * Whether a block that can't be read does; false: the reading fails, when the others beside it were asked for.
     *
     * @param block where it begins
     * @throws IOException for no, and at once
     */
    boolean passes(long block) throws IOException;
}
