package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A harness that can't fail proves nothing: each kind of damage is put before it here. */
final class EvidenceTest {
    private static final int PUSHES = 10;

    private final List<SentPush> sent = new ArrayList<>();
    private final List<KeptPush> kept = new ArrayList<>();
    private final List<DiaryEntry> diary = new ArrayList<>();

    /** Ten pushes over two lanes and two lives; number 5 was killed before its answer, number 6 comes again. */
    EvidenceTest() {
        for (int seq = 1; seq <= PUSHES; seq++) {
            sent.add(new SentPush(digest(seq), seq, seq == 5 ? 0 : 200));
            kept.add(new KeptPush(seq, digest(seq)));
            diary.add(entry(seq <= 6 ? "1" : "2", seq));
        }
        diary.add(6, entry("2", 6));
    }

    private static BodyDigest digest(long seq) {
        return BodyDigest.of(new byte[] {(byte) seq});
    }

    private static DiaryEntry entry(String life, long seq) {
        return new DiaryEntry(life, seq % 2 == 0 ? "even" : "odd", seq, digest(seq));
    }

    private List<String> complaints() {
        return new Evidence(sent, kept, diary).complaints();
    }

    private static <T> Consumer<T> starting(String text) {
        return complaint -> assertThat(complaint.toString()).startsWith(text);
    }

    @Test
    void keptPromisesBringNoComplaint() {
        assertThat(complaints()).isEmpty();
        assertThat(new Evidence(sent, kept, diary).redeliveries()).containsExactly(java.util.Map.entry("2", 1));
    }

    @Test
    void aPushThatGotNo200NeedNotBeKept() {
        sent.add(new SentPush(digest(99), 99, 0));

        assertThat(complaints()).isEmpty();
    }

    @Test
    void anAcknowledgedPushThatTheJournalLostIsCaught() {
        kept.remove(PUSHES - 1);

        assertThat(complaints()).anySatisfy(starting("answered 200, but not kept"));
    }

    @Test
    void aGapInTheJournalIsCaught() {
        kept.remove(4);

        assertThat(complaints()).anySatisfy(starting("gap"));
    }

    @Test
    void anAlteredPushIsCaught() {
        kept.set(3, new KeptPush(4, digest(77)));

        assertThat(complaints())
                .anySatisfy(starting("answered 200, but not kept"))
                .anySatisfy(starting("never sent, but kept"));
    }

    @Test
    void anInventedPushIsCaught() {
        kept.add(new KeptPush(PUSHES + 1, digest(77)));

        assertThat(complaints()).anySatisfy(starting("never sent, but kept"));
    }

    @Test
    void aPushThatIsKeptTwiceIsCaught() {
        kept.add(new KeptPush(PUSHES + 1, digest(1)));

        assertThat(complaints()).anySatisfy(starting("kept twice"));
    }

    @Test
    void aPushThatTheConsumerNeverGotIsCaught() {
        diary.remove(0);

        assertThat(complaints())
                .anySatisfy(starting("answered 200, but never handled"))
                .anySatisfy(starting("kept, but not handled"));
    }

    @Test
    void aPushThatTheConsumerGotAlteredIsCaught() {
        diary.set(0, new DiaryEntry("1", "odd", 1, digest(77)));

        assertThat(complaints()).anySatisfy(starting("handled, but not kept like this"));
    }

    @Test
    void twoPushesOfALaneInTheWrongOrderAreCaught() {
        DiaryEntry first = diary.get(0);
        diary.set(0, diary.get(2));
        diary.set(2, first);

        assertThat(complaints()).anySatisfy(starting("out of order")).anySatisfy(starting("overtaken"));
    }

    @Test
    void aLaneThatGoesOnBeforeWhatItSkippedIsCaught() {
        diary.remove(entry("1", 4));
        diary.add(6, entry("2", 4));

        assertThat(complaints()).anySatisfy(starting("overtaken"));
    }

    @Test
    void moreRedeliveriesThanPromisedAreCaught() {
        for (int seq = PUSHES + 1; seq <= PUSHES + Evidence.REDELIVERY_BOUND + 1; seq++) {
            diary.add(new DiaryEntry("2", "even", seq, digest(seq)));
        }
        for (int seq = PUSHES + 1; seq <= PUSHES + Evidence.REDELIVERY_BOUND + 1; seq++) {
            diary.add(new DiaryEntry("3", "even", seq, digest(seq)));
        }

        assertThat(complaints()).anySatisfy(starting("process 3 got 8193 pushes again"));
    }
}
