package dev.holdfast.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The platform, played from this process on plain sockets, with nothing of the gateway's own code: unique, rightly signed pushes at a
 * steady rate whatever the answers, and a note of every answer. Pushes of one second share their ids, as the platform's do.
 */
final class Traffic {
    private static final int CONNECTIONS = 32;
    /** More than the gateway waits for its disk before it answers 503. */
    private static final int TIMEOUT_MILLIS = 30_000;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final List<String> EVENTS =
            List.of("conversation.created", "client.updated", "conversation.closed", "client.created");
    private static final int CONVERSATIONS = 5;

    private final URI url;
    private final byte[] secret;
    private final long intervalNanos;
    private final String padding;
    private final String run = Long.toHexString(ThreadLocalRandom.current().nextLong());
    private final long start = System.nanoTime();
    private final List<Thread> senders = new ArrayList<>();
    private final List<SentPush> sent = new ArrayList<>();
    private final List<Long> latencies = new ArrayList<>();
    private final List<String> unanswered = new ArrayList<>();
    private long next;
    private long begun;
    private volatile boolean stopped;

    private Traffic(URI url, String secret, double rate, int bodySize) {
        this.url = url;
        this.secret = secret.getBytes(UTF_8);
        this.intervalNanos = (long) (1e9 / rate);
        this.padding = "x".repeat(bodySize);
    }

    /**
     * Starts to send.
     *
     * @param rate pushes per second, as long as no more than 32 are unanswered
     * @param bodySize bytes that each body has beyond some two hundred
     */
    static Traffic start(URI url, String secret, double rate, int bodySize) {
        Traffic traffic = new Traffic(url, secret, rate, bodySize);
        for (int i = 0; i < CONNECTIONS; i++) {
            Thread sender = new Thread(traffic::send, "traffic-" + i);
            sender.setDaemon(true);
            traffic.senders.add(sender);
        }
        traffic.senders.forEach(Thread::start);
        return traffic;
    }

    /** One connection, made again whenever it ends. */
    private void send() {
        try (Line line = new Line()) {
            while (!stopped) {
                long number = next();
                long due = start + number * intervalNanos;
                while (!stopped && System.nanoTime() - due < 0) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                if (!stopped) {
                    int status = send(line, body(number), due);
                    if (status == 0) {
                        LockSupport.parkNanos(PAUSE_NANOS);
                    }
                }
            }
        }
    }

    private int send(Line line, byte[] body, long due) {
        long at = begin();
        int status;
        try {
            status = line.exchange(request(body));
        } catch (IOException e) {
            status = 0;
            noteUnanswered(line, at, e);
        }
        synchronized (sent) {
            sent.add(new SentPush(BodyDigest.of(body), at, status));
            latencies.add(System.nanoTime() - due);
            sent.notifyAll();
        }
        return status;
    }

    private void noteUnanswered(Line line, long at, IOException cause) {
        String note = String.format(
                Locale.ROOT,
                "sent %d ms after the first, given up %d ms later, answer %d of its connection: %s",
                TimeUnit.NANOSECONDS.toMillis(at - start),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - at),
                line.answers + 1,
                cause);
        line.close();
        synchronized (sent) {
            unanswered.add(note);
        }
    }

    private synchronized long next() {
        return next++;
    }

    private synchronized long begin() {
        begun++;
        return System.nanoTime();
    }

    private byte[] body(long number) {
        String event = EVENTS.get((int) (number % EVENTS.size()));
        String family = event.substring(0, event.indexOf('.'));
        String invented = family.equals("client")
                ? "\"subject\":\"" + run + number + "\""
                : "\"name\":\"c" + number % CONVERSATIONS + "\"";
        long second = System.currentTimeMillis() / 1000;
        return String.format(
                        Locale.ROOT,
                        "{\"id\":\"sub_e1_%d\",\"event\":\"%s\",\"enterprise_token\":\"e1\",\"created_at\":%d,\"%s\":{\"number\":\"%s-%d\",\"invented\":{%s},\"text\":\"Zoë"
                                + " – 客服\",\"padding\":\"%s\"}}",
                        second,
                        event,
                        second,
                        family,
                        run,
                        number,
                        invented,
                        padding)
                .getBytes(UTF_8);
    }

    private byte[] request(byte[] body) {
        byte[] head = ("POST " + url.getPath()
                        + " HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json; charset=utf-8\r\n"
                        + "Service-Signature: " + signature(body) + "\r\nContent-Length: " + body.length + "\r\n\r\n")
                .getBytes(ISO_8859_1);
        byte[] request = new byte[head.length + body.length];
        System.arraycopy(head, 0, request, 0, head.length);
        System.arraycopy(body, 0, request, head.length, body.length);
        return request;
    }

    private String signature(byte[] body) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            sha1.update(body);
            return HexFormat.of().formatHex(sha1.digest(secret));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits until so many have been answered, whatever the answer. */
    void awaitAnswers(int count) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        synchronized (sent) {
            while (sent.size() < count) {
                long left = (deadline - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    throw new AssertionError("found " + sent.size() + " answers (expected: " + count + ")");
                }
                sent.wait(left);
            }
        }
    }

    /** How many were sent until now, in the order of {@link SentPush#due}. */
    synchronized long sentSoFar() {
        return begun;
    }

    /** Sends nothing more, and waits for the answers under way. */
    void stop() throws InterruptedException {
        stopped = true;
        for (Thread sender : senders) {
            LockSupport.unpark(sender);
            sender.join(2L * TIMEOUT_MILLIS);
        }
    }

    /** Everything that was sent and is decided, in the order of the answers. */
    List<SentPush> sent() {
        synchronized (sent) {
            return List.copyOf(sent);
        }
    }

    /** When each push without an answer was sent and given up, and why. */
    List<String> unanswered() {
        synchronized (sent) {
            return List.copyOf(unanswered);
        }
    }

    /** The time from the moment a push was due to its answer that so many of a hundred took at most. */
    Duration percentile(double percent) {
        synchronized (sent) {
            List<Long> sorted = latencies.stream().sorted().toList();
            int place = (int) Math.ceil(sorted.size() * percent / 100) - 1;
            return sorted.isEmpty() ? Duration.ZERO : Duration.ofNanos(sorted.get(Math.max(0, place)));
        }
    }

    /** A connection to the gateway. */
    private final class Line implements AutoCloseable {
        private @Nullable Socket socket;
        private @Nullable InputStream in;
        private int answers;

        /**
         * Gives the status of the answer.
         *
         * @throws IOException when none came; the connection is of no use any more
         */
        int exchange(byte[] request) throws IOException {
            OutputStream out = open().getOutputStream();
            out.write(request);
            out.flush();
            int status = answer();
            answers++;
            return status;
        }

        private Socket open() throws IOException {
            Socket open = socket;
            if (open == null) {
                open = new Socket();
                socket = open;
                open.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), url.getPort()), TIMEOUT_MILLIS);
                open.setTcpNoDelay(true);
                open.setSoTimeout(TIMEOUT_MILLIS);
                in = new BufferedInputStream(open.getInputStream());
                answers = 0;
            }
            return open;
        }

        private int answer() throws IOException {
            String status = line();
            int length = 0;
            boolean last = false;
            for (String header = line(); !header.isEmpty(); header = line()) {
                String lower = header.toLowerCase(Locale.ROOT);
                if (lower.startsWith("content-length:")) {
                    length = Integer.parseInt(lower.substring(15).strip());
                }
                last |= lower.startsWith("connection:") && lower.contains("close");
            }
            if (in == null || in.readNBytes(length).length < length) {
                throw new IOException("the answer ended early");
            }
            if (last) {
                close();
            }
            return Integer.parseInt(status.split(" ", 3)[1]);
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            InputStream open = Objects.requireNonNull(in, "a line is read on an open connection");
            for (int c = open.read(); c != '\n'; c = open.read()) {
                if (c < 0) {
                    throw new IOException("the connection ended");
                }
                if (c != '\r') {
                    line.append((char) c);
                }
            }
            return line.toString();
        }

        @Override
        public void close() {
            Socket open = socket;
            socket = null;
            in = null;
            if (open != null) {
                try {
                    open.close();
                } catch (IOException e) {
                    // It is of no use any more in any case.
                }
            }
        }
    }
}
