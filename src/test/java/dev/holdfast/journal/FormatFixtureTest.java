package dev.holdfast.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.journal.AppendResults.Stored;
import dev.holdfast.push.Envelope;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import dev.holdfast.push.Unreadable;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Directories that earlier versions left when they were killed are opened by every later one. That of format version 1 holds
 * sealed segments and one that was being written.
 */
class FormatFixtureTest {
    private static final String LATE_FIXTURE = "journal-format-1-record-2";

    @TempDir
    private Path directory;

    @Test
    void aLogOfFormatVersionOneIsReadAndWrittenOn() throws URISyntaxException {
        LogUnderTest log = fixture("journal-format-1");

        try (LogJournal journal = log.open()) {
            List<PushRecord> kept = journal.read(1, 100, Long.MAX_VALUE);
            assertThat(kept).hasSize(7);
            for (int i = 1; i <= 6; i++) {
                assertThat(kept.get(i - 1)).usingRecursiveComparison().isEqualTo(readable(i));
            }
            assertThat(kept.get(6)).usingRecursiveComparison().isEqualTo(unreadable());
            assertThat(journal.lastNote()).hasValue("noted".getBytes(StandardCharsets.UTF_8));
            assertThat(journal.damage()).isEmpty();
            assertThat(log.corrupt()).isZero();
            assertThat(new AppendResults(journal).store(readable(3))).isEqualTo(new Stored(3, true));
            assertThat(new AppendResults(journal).store(AppendResults.push("after")))
                    .isEqualTo(new Stored(8, false));
        }
    }

    /** A push that an operator took over from the quarantine, behind one that came in as it should. */
    @Test
    void aPushOfRecordVersionTwoIsReadAsALateOne() throws URISyntaxException {
        LogUnderTest log = fixture(LATE_FIXTURE);

        try (LogJournal journal = log.open()) {
            List<PushRecord> kept = journal.read(1, 100, Long.MAX_VALUE);
            assertThat(kept).hasSize(2);
            assertThat(kept.get(0)).usingRecursiveComparison().isEqualTo(readable(1));
            assertThat(kept.get(1)).usingRecursiveComparison().isEqualTo(late());
            assertThat(journal.damage()).isEmpty();
            assertThat(new AppendResults(journal).store(AppendResults.push("after")))
                    .isEqualTo(new Stored(3, false));
        }
    }

    private static PushRecord late() {
        return readable(2).lateAt(1_700_000_100_000L);
    }

    /** How the fixture of version 2 was made, as a killed gateway leaves it. */
    public static void main(String[] arguments) throws IOException {
        LogUnderTest log = new LogUnderTest(Files.createTempDirectory("log"));
        try (LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            answers.store(readable(1));
            answers.store(late());
            log.copyTo(Path.of("src/test/resources", LATE_FIXTURE));
        }
    }

    private static PushRecord readable(int n) {
        Envelope envelope = new Envelope("sub_t_" + n, "client.created", "t", 1_600_000_000L + n, null);
        byte[] body = ("{\"n\":" + n + "}").getBytes(StandardCharsets.UTF_8);
        RequestHead head = new RequestHead("00ff", "application/json", "", "");
        return new PushRecord(n, "default", envelope, 1_700_000_000_000L + n, head, body);
    }

    private static PushRecord unreadable() {
        RequestHead head = new RequestHead("00ff", "text/plain", "gzip", "a=令");
        Envelope envelope = Envelope.unreadable(Unreadable.NOT_JSON);
        return new PushRecord(7, "shop", envelope, 1_700_000_000_007L, head, new byte[] {0, -1, 7});
    }

    private LogUnderTest fixture(String name) throws URISyntaxException {
        Path kept = Path.of(
                Objects.requireNonNull(getClass().getResource("/" + name)).toURI());
        return new LogUnderTest(kept).copyTo(directory.resolve("log"));
    }
}
