package dev.holdfast.gateway;

import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.signed;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Valid pushes at a steady rate, on connections of their own: most of them small, some in two pieces, one of ten 60 KB
 * large. Each is timed from when it was due, whatever held its predecessors up.
 */
final class SteadyPushes {
    private static final int CONNECTIONS = 30;
    private static final int LARGE = 60_000;

    /**
     * How it went.
     *
     * @param answered with {@code 200}
     * @param millis of each push, from when it was due to its answer; from the fastest to the slowest
     */
    record Outcome(long answered, List<Long> millis) {
        /** What so many of a hundred took at most. */
        long millis(int percent) {
            return millis.get(millis.size() * percent / 100 - 1);
        }
    }

    private record Answer(boolean accepted, long millis) {}

    private SteadyPushes() {}

    /** Sends {@code perSecond} pushes a second for some seconds, and waits for their answers. */
    static Outcome send(GatewayUnderTest gateway, String address, int perSecond, int seconds)
            throws InterruptedException, ExecutionException {
        ExecutorService senders = Executors.newFixedThreadPool(CONNECTIONS);
        try {
            long start = System.nanoTime();
            List<Future<List<Answer>>> sendings = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                int first = i;
                sendings.add(senders.submit(() -> sendSome(gateway, address, start, first, perSecond, seconds)));
            }
            List<Answer> answers = new ArrayList<>();
            for (Future<List<Answer>> sending : sendings) {
                answers.addAll(sending.get());
            }
            return new Outcome(
                    answers.stream().filter(Answer::accepted).count(),
                    answers.stream().map(Answer::millis).sorted().toList());
        } finally {
            senders.shutdownNow();
        }
    }

    private static List<Answer> sendSome(
            GatewayUnderTest gateway, String address, long start, int first, int perSecond, int seconds) {
        List<Answer> answers = new ArrayList<>();
        try (RawConnection connection = gateway.connectFrom(address)) {
            for (int n = first; n < perSecond * seconds; n += CONNECTIONS) {
                byte[] request = push(n);
                long due = start + n * TimeUnit.SECONDS.toNanos(1) / perSecond;
                LockSupport.parkNanos(due - System.nanoTime());
                int half = n % 3 == 0 ? request.length - 50 : request.length;
                connection.send(request, 0, half);
                connection.send(request, half, request.length - half);
                boolean accepted = connection.answer().status() == 200;
                answers.add(new Answer(accepted, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - due)));
            }
        }
        return answers;
    }

    private static byte[] push(int n) {
        String body = envelope("client.created", n);
        // Not a multiple of the connections, so that each of them has a large one now and then.
        return signed(bytes(n % 11 == 0 ? body + " ".repeat(LARGE) : body));
    }
}
