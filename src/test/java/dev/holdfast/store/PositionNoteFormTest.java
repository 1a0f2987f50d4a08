package dev.holdfast.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PositionNoteFormTest {
    private static final Comparator<BlockedPush.Key> BY_LANE =
            Comparator.comparing(BlockedPush.Key::lane).thenComparingLong(BlockedPush.Key::seq);

    private static Checkpoint noted(String consumer, long position, BlockedPush.Key... blocked) {
        List<BlockedPush> waiting = new ArrayList<>();
        List.of(blocked).forEach(key -> waiting.add(new BlockedPush(key, null)));
        return new Checkpoint(consumer, position, waiting, List.of());
    }

    private static BlockedPush.Key key(String lane, long seq) {
        return new BlockedPush.Key(lane, seq);
    }

    /** Any characters, halves of pairs too. */
    private static String text(Random random, int atLeast) {
        StringBuilder text = new StringBuilder();
        int length = atLeast + random.nextInt(20);
        for (int i = 0; i < length; i++) {
            int most = random.nextInt(3) == 0 ? Character.MAX_VALUE + 1 : 0x80;
            text.append((char) random.nextInt(most));
        }
        return text.toString();
    }

    private static Checkpoint anything(Random random) {
        Set<BlockedPush.Key> blocked = new TreeSet<>(BY_LANE);
        int lanes = random.nextInt(5);
        for (int i = 0; i < lanes; i++) {
            String lane = text(random, 0);
            random.longs(1 + random.nextInt(4), 1, Long.MAX_VALUE).forEach(seq -> blocked.add(key(lane, seq)));
        }
        return noted(text(random, 1), random.nextLong(Long.MAX_VALUE), blocked.toArray(BlockedPush.Key[]::new));
    }

    private static byte[] encoded(List<Checkpoint> places) {
        return PositionNoteForm.encode(new PositionNote(places, Map.of()));
    }

    @Test
    void theFormIsTheOneThatIsDrawn() {
        byte[] note =
                encoded(List.of(noted("mine", 41, key("default\nent\nf:client", 9), key("default\nent\nf:client", 7))));

        assertThat(note)
                .asString(US_ASCII)
                .isEqualTo("{\"version\":1,\"consumers\":[{\"name\":\"mine\",\"position\":41,\"blocked\":"
                        + "[{\"lane\":\"default\\nent\\nf:client\",\"seqs\":[7,9]}]}]}");
    }

    @Test
    void whateverIsNotedComesBack() {
        Random random = new Random(7);
        for (int i = 0; i < 500; i++) {
            List<Checkpoint> noted = random.ints(random.nextInt(4))
                    .mapToObj(n -> anything(random))
                    .toList();

            assertThat(PositionNoteForm.decode(encoded(noted)).places()).isEqualTo(noted);
        }
    }

    @Test
    void whoIsPausedStaysSo() {
        PositionNote noted = new PositionNote(List.of(noted("mine", 41), noted("other", 3)), Map.of("mine", 17L));

        byte[] note = PositionNoteForm.encode(noted);

        assertThat(note)
                .asString(US_ASCII)
                .isEqualTo(
                        "{\"version\":1,\"consumers\":[{\"name\":\"mine\",\"position\":41,\"blocked\":[],\"paused\":17},"
                                + "{\"name\":\"other\",\"position\":3,\"blocked\":[]}]}");
        assertThat(PositionNoteForm.decode(note)).isEqualTo(noted);
    }

    @Test
    void whatALaterVersionAddsIsPassedOver() {
        String note =
                "{\"version\":1,\"more\":{\"name\":\"a\"},\"consumers\":[{\"name\":\"mine\",\"new\":[1],\"position\":41,"
                        + "\"blocked\":[{\"lane\":\"b\",\"seqs\":[3],\"since\":null}]}]}";

        assertThat(PositionNoteForm.decode(note.getBytes(UTF_8)))
                .isEqualTo(new PositionNote(List.of(noted("mine", 41, key("b", 3))), Map.of()));
    }

    @Test
    void theHighestAndTheLowestNumbersComeBack() {
        List<Checkpoint> noted = List.of(
                noted("new", 0), noted("far", Long.MAX_VALUE, key("", 1), key("\0", Long.MAX_VALUE), key("\ud800", 3)));

        assertThat(PositionNoteForm.decode(encoded(noted)).places()).isEqualTo(noted);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "noted",
                "null",
                "[]",
                "{}",
                "{\"version\":1}",
                "{\"version\":1,\"consumers\":null}",
                "{\"version\":1,\"consumers\":[null]}",
                "{\"version\":2,\"consumers\":[]}",
                "{\"version\":1,\"consumers\":[]} more",
                "{\"version\":1,\"consumers\":[{\"name\":\"a\",\"position\":1}]}",
                "{\"version\":1,\"consumers\":[{\"position\":1,\"blocked\":[]}]}",
                "{\"version\":1,\"consumers\":[{\"name\":\"a\",\"blocked\":[]}]}",
                "{\"version\":1,\"consumers\":[{\"name\":\"\",\"position\":1,\"blocked\":[]}]}",
                "{\"version\":1,\"consumers\":[{\"name\":\"a\",\"position\":-1,\"blocked\":[]}]}",
                "{\"version\":1,\"consumers\":[{\"name\":\"a\",\"position\":9223372036854775808,\"blocked\":[]}]}",
                "{\"version\":1,\"consumers\":[{\"name\":\"a\",\"position\":1,\"blocked\":[null]}]}",
                "{\"version\":1,\"consumers\":[{\"name\":\"a\",\"position\":1,\"blocked\":[{\"lane\":\"b\"}]}]}",
                "{\"version\":1,\"consumers\":[{\"name\":\"a\",\"position\":1,\"blocked\":[{\"seqs\":[1]}]}]}",
                "{\"version\":1,\"consumers\":[{\"name\":\"a\",\"position\":1,\"blocked\":[{\"lane\":\"b\",\"seqs\":[0]}]}]}",
                "{\"version\":1,\"consumers\":[{\"name\":\"a\",\"position\":1,\"blocked\":[{\"lane\":\"b\",\"seqs\":[null]}]}]}"
            })
    void whatIsNoNoteIsAsGoodAsNone(String nonsense) {
        assertThat(PositionNoteForm.decode(nonsense.getBytes(UTF_8))).isEqualTo(PositionNote.NONE);
    }

    @Test
    void aNoteThatIsCutAnywhereOrHasOtherBytesInItIsNeverAFailure() {
        byte[] note = encoded(List.of(noted("mine", 41, key("a", 3), key("b", 4)), noted("other", 12)));
        Random random = new Random(3);
        for (int cut = 0; cut < note.length; cut++) {
            byte[] part = new byte[cut];
            System.arraycopy(note, 0, part, 0, cut);
            assertThat(PositionNoteForm.decode(part)).isEqualTo(PositionNote.NONE);
            byte[] other = note.clone();
            other[cut] = (byte) random.nextInt(256);
            assertThat(PositionNoteForm.decode(other).places()).hasSizeLessThanOrEqualTo(2);
        }
        byte[] noise = new byte[300];
        random.nextBytes(noise);
        assertThat(PositionNoteForm.decode(noise)).isEqualTo(PositionNote.NONE);
    }
}
