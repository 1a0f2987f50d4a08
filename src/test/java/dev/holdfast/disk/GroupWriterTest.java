package dev.holdfast.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class GroupWriterTest {
    private record Job(String name) implements WriteQueue.Request {
        @Override
        public long bytes() {
            return 1;
        }

        @Override
        public boolean isUrgent() {
            return true;
        }
    }

    private static final Job FIRST = new Job("first");
    private static final Job SECOND = new Job("second");

    private final WriteQueue<Job> queue = new WriteQueue<>(10, 1, TimeUnit.DAYS.toNanos(1));

    private static class Target implements GroupWriter.Target<Job> {
        final List<String> calls = new ArrayList<>();
        boolean away;

        @Override
        public boolean isAway() {
            return away;
        }

        @Override
        public void reopen() {
            calls.add("reopen");
        }

        @Override
        public void cannotOpen(Throwable cause, long nextTryMillis) {
            calls.add("can't open");
        }

        @Override
        public void write(List<Job> group) {
            group.forEach(job -> calls.add("write " + job.name()));
        }

        @Override
        public void refuse(List<Job> group) {
            group.forEach(job -> calls.add("refuse " + job.name()));
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }

    private List<String> callsOf(Target target) {
        queue.offer(FIRST);
        queue.offer(SECOND);
        queue.close();
        new GroupWriter<>("trial", queue, target).run();
        return target.calls;
    }

    @Test
    void whatWaitsWhenTheQueueIsClosedIsWritten() {
        assertThat(callsOf(new Target())).containsExactly("write first", "write second", "close");
    }

    @Test
    void whereTheTargetIsAwayItIsRefused() {
        Target away = new Target();
        away.away = true;

        assertThat(callsOf(away)).containsExactly("refuse first", "refuse second", "close");
    }

    /** Without the thread nothing is stored any more. */
    @Test
    void anErrorOfTheTargetDoesNotEndTheThread() {
        Target faulty = new Target() {
            @Override
            public void write(List<Job> group) {
                super.write(group);
                if (group.contains(FIRST)) {
                    throw new StackOverflowError("made up");
                }
            }
        };

        assertThat(callsOf(faulty)).containsExactly("write first", "write second", "close");
    }
}
