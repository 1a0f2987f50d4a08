package dev.holdfast;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port of the loopback address at which nobody listens yet, or no longer: who connects is refused. Until it is closed the
 * system gives it to no one; who asks for it by its number may listen there, be it in another process.
 */
public final class HeldPort implements AutoCloseable {
    private final Socket socket = new Socket();

    public HeldPort() {
        try {
            // Linux lets a server bind what is bound already, if both say so and the other one doesn't listen.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int number() {
        return socket.getLocalPort();
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
