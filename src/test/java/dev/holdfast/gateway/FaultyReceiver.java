package dev.holdfast.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.vertx.core.buffer.Buffer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A receiver on plain sockets that can do whatever a server on a bad day does. Reads each request whole, then acts. */
public final class FaultyReceiver implements AutoCloseable {
    public static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    /**
     * A request, read whole.
     *
     * @param headers names in any case
     */
    public record Request(String line, Map<String, String> headers, Buffer body) {
        public long seq() {
            return Long.parseLong(headers.getOrDefault("Holdfast-Seq", "0"));
        }

        int attempt() {
            return Integer.parseInt(headers.getOrDefault("Holdfast-Attempt", "0"));
        }
    }

    /** What becomes of a request; the connection is closed when it throws. */
    public interface Behaviour {
        void answer(Request request, Socket connection) throws IOException;
    }

    private final ServerSocket server;
    private final List<Socket> connections = new CopyOnWriteArrayList<>();
    private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Behaviour behaviour;

    public FaultyReceiver(Behaviour behaviour) throws IOException {
        this(0, behaviour);
    }

    FaultyReceiver(int port, Behaviour behaviour) throws IOException {
        this.behaviour = behaviour;
        server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    public static Behaviour always(String answer) {
        return (request, connection) -> connection.getOutputStream().write(answer.getBytes(ISO_8859_1));
    }

    public static Behaviour status(int status, String... headers) {
        StringBuilder answer = new StringBuilder("HTTP/1.1 " + status + " Whatever\r\nContent-Length: 0\r\n");
        for (String header : headers) {
            answer.append(header).append("\r\n");
        }
        return always(answer.append("\r\n").toString());
    }

    /** RST instead of an answer. */
    public static void reset(Request request, Socket connection) throws IOException {
        connection.setSoLinger(true, 0);
        connection.close();
    }

    static void close(Request request, Socket connection) throws IOException {
        connection.close();
    }

    /** Neither answers nor closes, as one whose machine has gone. */
    public void hang(Request request, Socket connection) throws IOException {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void behave(Behaviour other) {
        behaviour = other;
    }

    int port() {
        return server.getLocalPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port() + "/webhook";
    }

    List<Request> requests() {
        return List.copyOf(requests);
    }

    List<Long> seqs() {
        return requests.stream().map(Request::seq).toList();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "faulty-receiver");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = server.accept();
                connections.add(connection);
                start(() -> serve(connection));
            }
        } catch (IOException e) {
            closed.countDown();
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            while (true) {
                Request request = read(in);
                requests.add(request);
                behaviour.answer(request, connection);
            }
        } catch (IOException e) {
            connections.remove(connection);
        }
    }

    private static Request read(InputStream in) throws IOException {
        String line = line(in);
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            int colon = header.indexOf(':');
            headers.put(header.substring(0, colon), header.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("Content-Length", "0"));
        return new Request(line, headers, Buffer.buffer(in.readNBytes(length)));
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("end of stream");
            }
            line.append((char) b);
        }
        return line.toString().stripTrailing();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket connection : connections) {
            connection.close();
        }
    }
}
