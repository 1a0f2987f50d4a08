package dev.holdfast.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Locale;

/** One who watches {@code /api/v1/tap}, and reads when the test does. */
final class TapStream implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 30_000;

    private final Socket socket = new Socket();
    private final BufferedReader in;
    private final StringBuilder head = new StringBuilder();

    /** An event of the stream. */
    record Event(String name, String id, JsonObject data) {}

    private TapStream(int port, String query) throws IOException {
        // Small, so that whoever reads nothing is soon behind.
        socket.setReceiveBufferSize(8 * 1024);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.getOutputStream()
                .write(("GET /api/v1/tap" + query + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(UTF_8));
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            head.append(line.toLowerCase(Locale.ROOT).replace("http/", "HTTP/")).append('\n');
        }
        if (head.toString().startsWith("HTTP/1.1 200")) {
            chunk();
        }
    }

    /** Open once the gateway offers it pushes. */
    static TapStream open(GatewayUnderTest gateway, String query) {
        try {
            return new TapStream(gateway.gateway().managementPort(), query);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The answer's, in lower case but for the protocol. */
    String head() {
        return head.toString();
    }

    /** The next event, whatever comments come before it. */
    Event next() {
        String chunk = chunk();
        while (chunk.startsWith(":")) {
            chunk = chunk();
        }
        return new Event(field(chunk, "event"), field(chunk, "id"), new JsonObject(field(chunk, "data")));
    }

    private static String field(String event, String name) {
        return event.lines()
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .findFirst()
                .orElse("");
    }

    /** Each event is a chunk of its own, in ASCII. */
    private String chunk() {
        try {
            int size = Integer.parseInt(in.readLine(), 16);
            char[] chunk = new char[size];
            for (int read = 0; read < size; ) {
                int more = in.read(chunk, read, size - read);
                if (more < 0) {
                    throw new IOException("the connection ended after " + read + " of " + size + " characters");
                }
                read += more;
            }
            in.readLine();
            return new String(chunk);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether nothing comes any more, and the stream was ended and not cut off. */
    boolean isAtItsEnd() {
        return chunk().isEmpty();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
