package dev.holdfast.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A connection on which a test may say anything. Reading waits half a minute at most. */
final class RawConnection implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 30_000;

    private final Socket socket;
    private final InputStream in;

    RawConnection(int port) {
        this(port, "127.0.0.1");
    }

    /** From one of this machine's loopback addresses. */
    RawConnection(int port, String from) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(from), 0);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RawConnection send(String text) {
        return send(text.getBytes(ISO_8859_1));
    }

    RawConnection send(byte[] bytes) {
        return send(bytes, 0, bytes.length);
    }

    RawConnection send(byte[] bytes, int from, int length) {
        try {
            socket.getOutputStream().write(bytes, from, length);
            socket.getOutputStream().flush();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next answer on the connection. */
    HttpAnswer answer() {
        return answer(true);
    }

    /** The next answer to a HEAD request, which has no body whatever its headers say. */
    HttpAnswer answerWithoutBody() {
        return answer(false);
    }

    private HttpAnswer answer(boolean withBody) {
        try {
            String[] status = line().split(" ", 3);
            if (!status[0].startsWith("HTTP/1.")) {
                throw new IOException("found \"" + String.join(" ", status) + "\" (expected: HTTP/1 and a status)");
            }
            Map<String, List<String>> headers = new HashMap<>();
            for (String line = line(); !line.isEmpty(); line = line()) {
                int colon = line.indexOf(':');
                headers.computeIfAbsent(line.substring(0, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                        .add(line.substring(colon + 1).trim());
            }
            int length = withBody
                    ? Integer.parseInt(
                            headers.getOrDefault("content-length", List.of("0")).get(0))
                    : 0;
            byte[] body = in.readNBytes(length);
            return new HttpAnswer(Integer.parseInt(status[1]), headers, new String(body, UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the connection ended after \"" + line + "\"");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    /** Whether the gateway ends the connection, in good order and with nothing more to say, within the timeout. */
    boolean isClosed() {
        try {
            return in.read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Everything that comes until the gateway ends the connection. */
    String everything() {
        try {
            return new String(in.readAllBytes(), ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether nothing has come for so long, be it that the connection is at its end. */
    boolean isSilentFor(int millis) {
        try {
            socket.setSoTimeout(millis);
            in.mark(1);
            in.read();
            in.reset();
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (SocketException e) {
            // What was sent as the gateway closed was answered with a reset.
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            restoreTimeout();
        }
    }

    private void restoreTimeout() {
        try {
            socket.setSoTimeout(TIMEOUT_MILLIS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the sending half: the gateway sees the connection's end, and may still answer. */
    void endSending() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the connection with a reset. */
    void reset() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
