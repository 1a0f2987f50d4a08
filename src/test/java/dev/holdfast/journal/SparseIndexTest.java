package dev.holdfast.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SparseIndexTest {
    /** A little more than what lies between two places that are kept. */
    private static final long NEAR = 40 << 10;

    private final SparseIndex index = new SparseIndex();
    private final TreeMap<Long, Long> begins = new TreeMap<>();

    private void add(long seq, long offset) {
        index.add(seq, offset);
        begins.put(seq, offset);
    }

    @Test
    void noPushIsBehindThePlaceWhereTheSearchForItBeginsAndNoneFarFromIt() {
        Random random = new Random(7);
        long seq = 5_000_000_000L;
        long offset = SegmentFormat.HEADER_LENGTH;
        for (int n = 0; n < 5_000; n++) {
            add(seq, offset);
            seq += 1 + random.nextInt(3);
            offset += 100 + random.nextInt(5_000);
        }
        for (Map.Entry<Long, Long> push : begins.entrySet()) {
            assertThat(index.floor(push.getKey())).isBetween(push.getValue() - NEAR, push.getValue());
            // Of one that is not there: no further than where the next one begins.
            assertThat(index.floor(push.getKey() + 1))
                    .isLessThanOrEqualTo(
                            begins.ceilingEntry(push.getKey() + 1) == null
                                    ? offset
                                    : begins.ceilingEntry(push.getKey() + 1).getValue());
        }
        assertThat(index.floor(4_999_999_999L)).isEqualTo(SegmentFormat.HEADER_LENGTH);
        assertThat(index.floor(Long.MAX_VALUE)).isBetween(offset - NEAR, offset);
    }

    @Test
    void whatLiesBeyondWhatItCanNameIsSearchedForFromTheLastPlaceItCan() {
        add(1, SegmentFormat.HEADER_LENGTH);
        add(2, 1L << 20);
        index.add(3, 1L << 32);
        index.add(1L << 40, 2L << 20);

        assertThat(index.floor(3)).isEqualTo(1L << 20);
        assertThat(index.floor(1L << 40)).isEqualTo(1L << 20);
    }

    @Test
    void anEmptyOneBeginsWithTheFirstRecord() {
        assertThat(index.floor(1)).isEqualTo(SegmentFormat.HEADER_LENGTH);
        assertThat(index.floor(0)).isEqualTo(SegmentFormat.HEADER_LENGTH);
    }
}
