package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.process.Forwarded.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A checker that can't fail proves nothing: each kind of damage is put before it here. */
final class ReplayEvidenceTest {
    private static final int RATE = 10;
    private static final int PUSHES = 60;

    private final Set<Long> wanted = new HashSet<>();
    private final List<Forwarded> forwarded = new ArrayList<>();

    /** Sixty pushes in six seconds, killed at 40; from 35 on they come in the second life. */
    ReplayEvidenceTest() {
        for (long seq = 1; seq <= PUSHES; seq++) {
            wanted.add(seq);
        }
        replay("1", 1, 40);
        replay("2", 35, PUSHES);
    }

    private void replay(String life, long from, long to) {
        for (long seq = from; seq <= to; seq++) {
            forwarded.add(request(life, seq, true, seq));
        }
    }

    private static Forwarded request(String life, long seq, boolean replay, long tenthsOfASecond) {
        BodyDigest digest = BodyDigest.of(new byte[] {(byte) seq});
        return new Forwarded(life, "lane", seq, digest, replay, Outcome.TAKEN, tenthsOfASecond * 100_000_000);
    }

    private ReplayEvidence evidence() {
        return new ReplayEvidence(wanted, RATE, forwarded);
    }

    @Test
    void keptPromisesBringNoComplaint() {
        assertThat(evidence().complaints()).isEmpty();
        assertThat(evidence().repeats()).isEqualTo(Map.of("2", 6));
    }

    @Test
    void aPushThatWasPassedOverIsCaught() {
        forwarded.removeIf(push -> push.seq() == 20);

        assertThat(evidence().complaints()).containsExactly("wanted, but never replayed: 20");
    }

    @Test
    void aPushThatCameUnmarkedDoesNotCount() {
        forwarded.removeIf(push -> push.seq() == 20);
        forwarded.add(request("1", 20, false, 20));

        assertThat(evidence().complaints()).containsExactly("wanted, but never replayed: 20");
    }

    @Test
    void aPushThatDoesNotMatchIsCaught() {
        wanted.remove(20L);

        assertThat(evidence().complaints()).containsExactly("replayed, but not wanted: 20");
    }

    @Test
    void aReplayThatBeginsAnewIsCaught() {
        forwarded.clear();
        replay("1", 1, 40);
        replay("2", 1, PUSHES);

        assertThat(evidence().complaints()).containsExactly("life 2 replayed 40 again (expected: <= 20)");
    }

    @Test
    void aLaneInTheWrongOrderIsCaught() {
        Forwarded first = forwarded.get(9);
        forwarded.set(9, forwarded.get(10));
        forwarded.set(10, first);

        assertThat(evidence().complaints()).singleElement().asString().startsWith("replayed out of order");
    }

    @Test
    void aReplayThatIsFasterThanAskedForIsCaught() {
        forwarded.clear();
        for (long seq = 1; seq <= 600; seq++) {
            wanted.add(seq);
            forwarded.add(request("1", seq, true, seq / 100));
        }

        assertThat(evidence().complaints()).singleElement().asString().startsWith("too fast: life 1 replayed 600");
    }
}
