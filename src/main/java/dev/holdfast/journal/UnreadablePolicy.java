package dev.holdfast.journal;

import java.io.IOException;

/** Who goes through a segment says by this which blocks that can't be read count as damaged. */
interface UnreadablePolicy {
    /** None does: the reading fails. */
    UnreadablePolicy NEVER = (block, first) -> false;

    UnreadablePolicy ALWAYS = (block, first) -> true;

    /**
     * Whether a block that can't be read does.
     *
     * @param block where it begins
     * @param first whether the one before it could be read, or was not asked for
     * @throws IOException for no
     */
    boolean passes(long block, boolean first) throws IOException;
}
