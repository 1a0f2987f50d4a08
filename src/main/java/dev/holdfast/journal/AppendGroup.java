package dev.holdfast.journal;

import dev.holdfast.disk.GroupWriter;
import dev.holdfast.push.PushRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pushes that one sync makes durable together: put into the segment, then told. By the writer thread, once. */
final class AppendGroup {
    private final SegmentWriter segment;
    private final SegmentList segments;
    private final DuplicateIndex duplicates;
    private final LogReader reader;
    private final long lastBefore;
    /** One for each push, in the order of arrival; made before the sync, since after it nothing may fail for want of memory. */
    private final List<Answer> answers;
    /** Those that are new, at the positions from the next one on. */
    private final List<PushRecord> pushes;

    private record Answer(Journal.Outcome to, long seq, boolean duplicate) implements Runnable {
        @Override
        public void run() {
            to.stored(seq, duplicate);
        }
    }

    /** @param most how many pushes may come */
    AppendGroup(SegmentWriter segment, SegmentList segments, DuplicateIndex duplicates, LogReader reader, int most) {
        this.segment = segment;
        this.segments = segments;
        this.duplicates = duplicates;
        this.reader = reader;
        this.lastBefore = segments.lastSeq();
        this.answers = new ArrayList<>(most);
        this.pushes = new ArrayList<>(most);
    }

    void add(WriteRequest.Append append) throws IOException {
        PushRecord twin = twin(append);
        if (twin != null) {
            answers.add(new Answer(append.outcome(), twin.seq(), true));
            return;
        }
        long seq = lastSeq() + 1;
        PushRecord push = append.push().at(seq);
        segment.push(push, seq, append.digest());
        duplicates.add(append.digest(), seq);
        pushes.add(push);
        answers.add(new Answer(append.outcome(), seq, false));
    }

    /** The push that these bytes are already kept under; null when there is none that can be read back. */
    private @Nullable PushRecord twin(WriteRequest.Append append) {
        long seq = duplicates.find(append.digest());
        if (seq < segments.firstSeq() || seq > lastSeq()) {
            return null;
        }
        PushRecord candidate = seq > lastBefore ? pushes.get((int) (seq - lastBefore) - 1) : stored(seq);
        return candidate != null && Digest.same(candidate, append.push()) ? candidate : null;
    }

    private @Nullable PushRecord stored(long seq) {
        try {
            return reader.get(seq).orElse(null);
        } catch (JournalException unreadableNow) {
            return null;
        }
    }

    /** The newest position, once the group is durable. */
    long lastSeq() {
        return lastBefore + pushes.size();
    }

    /** The pushes that are new, in order. */
    List<PushRecord> pushes() {
        return pushes;
    }

    /** After the sync: tells each in the order of arrival. */
    void notifyAppenders() {
        for (int i = 0; i < answers.size(); i++) {
            GroupWriter.notify(answers.get(i));
        }
    }
}
