package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.process.Forwarded.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A checker that can't fail proves nothing: each kind of damage is put before it here. */
final class ForwardEvidenceTest {
    private static final int PUSHES = 10;

    private final List<SentPush> sent = new ArrayList<>();
    private final List<KeptPush> kept = new ArrayList<>();
    private final List<Forwarded> forwarded = new ArrayList<>();
    private final Set<Long> deadLetters = new HashSet<>();

    /** Ten pushes over two lanes and two lives: 4 is refused, 5 fails once, 6 comes again in the second life. */
    ForwardEvidenceTest() {
        for (int seq = 1; seq <= PUSHES; seq++) {
            sent.add(new SentPush(digest(seq), seq, 200));
            kept.add(new KeptPush(seq, digest(seq)));
            if (seq == 5) {
                forwarded.add(request("1", seq, Outcome.FAILED));
            }
            forwarded.add(request(seq <= 6 ? "1" : "2", seq, seq == 4 ? Outcome.REFUSED : Outcome.TAKEN));
        }
        forwarded.add(7, request("2", 6, Outcome.TAKEN));
        deadLetters.add(4L);
    }

    private static BodyDigest digest(long seq) {
        return BodyDigest.of(new byte[] {(byte) seq});
    }

    private static Forwarded request(String life, long seq, Outcome outcome) {
        return new Forwarded(life, seq % 2 == 0 ? "even" : "odd", seq, digest(seq), false, outcome, seq);
    }

    private ForwardEvidence evidence() {
        return new ForwardEvidence(sent, kept, forwarded, deadLetters);
    }

    private List<String> complaints() {
        return evidence().complaints();
    }

    private static Consumer<String> starting(String text) {
        return complaint -> assertThat(complaint).startsWith(text);
    }

    @Test
    void keptPromisesBringNoComplaint() {
        assertThat(complaints()).isEmpty();
        assertThat(evidence().redeliveries()).isEqualTo(Map.of("2", 1));
    }

    @Test
    void aRefusedPushThatIsRetriedAndTakenNeedBeNoDeadLetterAnyMore() {
        forwarded.add(request("2", 4, Outcome.TAKEN));
        assertThat(complaints()).isEmpty();

        deadLetters.clear();
        assertThat(complaints()).isEmpty();
    }

    @Test
    void aPushThatTheServerNeverGotIsCaught() {
        forwarded.removeIf(push -> push.seq() == 9);

        assertThat(complaints()).anySatisfy(starting("answered 200, but never handled"));
    }

    @Test
    void aPushThatWasOnlyAttemptedIsCaught() {
        forwarded.removeIf(push -> push.seq() == 5 && push.isTaken());

        assertThat(complaints()).anySatisfy(starting("answered 200, but never handled"));
    }

    @Test
    void aPushThatOnlyAReplayBroughtIsCaught() {
        forwarded.removeIf(push -> push.seq() == 9);
        forwarded.add(new Forwarded("2", "odd", 9, digest(9), true, Outcome.TAKEN, 99));

        assertThat(complaints()).anySatisfy(starting("answered 200, but never handled"));
    }

    @Test
    void aLostDeadLetterIsCaught() {
        deadLetters.clear();

        assertThat(complaints()).containsExactly("refused for good, but neither a dead letter nor taken since: 4");
    }

    @Test
    void aDeadLetterThatARetryTookAwayWithoutBeingHandledIsCaught() {
        forwarded.add(request("2", 4, Outcome.REFUSED));
        forwarded.add(new Forwarded("2", "even", 4, digest(4), true, Outcome.TAKEN, 99));
        deadLetters.clear();

        assertThat(complaints()).containsExactly("refused for good, but neither a dead letter nor taken since: 4");
    }

    @Test
    void aDeadLetterThatTheServerNeverRefusedIsCaught() {
        deadLetters.add(5L);

        assertThat(complaints()).containsExactly("a dead letter, but never refused: 5");
    }

    @Test
    void alteredBytesAreCaught() {
        forwarded.add(new Forwarded("2", "odd", 9, digest(77), false, Outcome.FAILED, 99));

        assertThat(complaints()).anySatisfy(starting("forwarded, but not kept like this"));
    }

    @Test
    void anInventedPushIsCaught() {
        forwarded.add(request("2", PUSHES + 1, Outcome.TAKEN));

        assertThat(complaints()).anySatisfy(starting("forwarded, but not kept like this"));
    }

    @Test
    void aWrongSignatureIsCaught() {
        forwarded.add(request("2", 9, Outcome.FORGED));

        assertThat(complaints()).anySatisfy(starting("not signed as it came"));
    }

    @Test
    void aLaneThatGoesOnWhileAPushIsToComeAgainIsCaught() {
        Forwarded recovered = request("1", 5, Outcome.TAKEN);
        forwarded.remove(recovered);
        forwarded.add(request("2", 5, Outcome.TAKEN));

        assertThat(complaints()).anySatisfy(starting("overtaken"));
    }

    @Test
    void aRefusedPushThatWasOvertakenIsCaught() {
        Forwarded refused = request("1", 4, Outcome.REFUSED);
        forwarded.remove(refused);
        forwarded.add(refused);

        assertThat(complaints()).containsExactly("attempted too late: " + refused + " first after seq 10");
    }

    @Test
    void aPushThatComesTwiceInOneLifeIsCaught() {
        forwarded.add(request("2", 10, Outcome.TAKEN));

        assertThat(complaints()).anySatisfy(starting("out of order"));
    }
}
