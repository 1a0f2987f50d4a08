package dev.holdfast.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WriteQueueTest {
    private static final long FOR_EVER = TimeUnit.DAYS.toNanos(1);

    private record Job(String name, long bytes, boolean isUrgent) implements WriteQueue.Request {}

    private static final Job URGENT = new Job("urgent", 60, true);
    private static final Job PATIENT = new Job("patient", 60, false);

    /** One that waits by now. */
    private static FutureTask<List<Job>> waiting(Callable<List<Job>> taking) {
        FutureTask<List<Job>> taken = new FutureTask<>(taking);
        Thread writer = new Thread(taken);
        writer.setDaemon(true);
        writer.start();
        Eventually.until(
                () -> writer.getState() == Thread.State.WAITING || writer.getState() == Thread.State.TIMED_WAITING);
        return taken;
    }

    private static List<Job> within(FutureTask<List<Job>> taken) throws Exception {
        return taken.get(20, TimeUnit.SECONDS);
    }

    @Test
    void aGroupEndsWithTheRequestThatFillsIt() throws Exception {
        WriteQueue<Job> queue = new WriteQueue<>(10, 100, FOR_EVER);
        for (int i = 0; i < 3; i++) {
            queue.offer(URGENT);
        }

        assertThat(queue.take()).hasSize(2);
        assertThat(queue.take()).hasSize(1);
    }

    @Test
    void whereSoManyWaitNoMoreAreTaken() throws Exception {
        WriteQueue<Job> queue = new WriteQueue<>(2, 1_000, FOR_EVER);
        assertThat(queue.offer(URGENT)).isTrue();
        assertThat(queue.offer(PATIENT)).isTrue();
        assertThat(queue.offer(URGENT)).isFalse();

        assertThat(queue.take()).containsExactly(URGENT, PATIENT);

        assertThat(queue.offer(URGENT)).isTrue();
    }

    @Test
    void anUrgentOneIsTakenAtOnceAndOthersWithIt() throws Exception {
        WriteQueue<Job> queue = new WriteQueue<>(10, 1_000, FOR_EVER);
        queue.offer(PATIENT);
        FutureTask<List<Job>> taken = waiting(queue::take);

        queue.offer(URGENT);

        assertThat(within(taken)).containsExactly(PATIENT, URGENT);
        FutureTask<List<Job>> next = waiting(queue::take);
        queue.offer(URGENT);
        assertThat(within(next)).containsExactly(URGENT);
    }

    @Test
    void oneThatIsNotUrgentIsTakenThoughNoneFollows() throws Exception {
        WriteQueue<Job> queue = new WriteQueue<>(10, 1_000, 1);
        FutureTask<List<Job>> taken = waiting(queue::take);

        queue.offer(PATIENT);

        assertThat(within(taken)).containsExactly(PATIENT);
    }

    @Test
    void whatWaitsWhenItIsClosedIsTakenAndNobodyWaitsAnyMore() throws Exception {
        WriteQueue<Job> queue = new WriteQueue<>(10, 1_000, FOR_EVER);
        queue.offer(PATIENT);
        FutureTask<List<Job>> taken = waiting(queue::take);

        queue.close();

        assertThat(within(taken)).containsExactly(PATIENT);
        assertThat(queue.offer(URGENT)).isFalse();
        assertThat(queue.take()).isEmpty();
        long before = System.nanoTime();
        assertThat(queue.takeWithin(60_000)).isEmpty();
        assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(30));
    }
}
