package dev.holdfast.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** Between a consumer and its server: what a network does to connections. Each draws its fault when it is made. */
final class FaultProxy implements AutoCloseable {
    private static final long PAUSE_NANOS = 20_000_000;
    private static final int FEW_BYTES = 10;

    private enum Fault {
        NONE,
        CLOSED_AT_ONCE,
        RESET_IN_THE_REQUEST,
        HALF_OPEN,
        SLOW_ANSWER,
        CUT_ANSWER
    }

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;
    private final SplittableRandom random;
    private volatile boolean calm;

    /** @param target the server's port on loopback */
    FaultProxy(int target, SplittableRandom random) throws IOException {
        this.target = target;
        this.random = random;
        start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** Connections made from now on have no fault, and slow ones are slow no more. */
    void calm() {
        calm = true;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                Fault fault = calm ? Fault.NONE : Fault.values()[random.nextInt(Fault.values().length)];
                start(() -> serve(client, fault));
            }
        } catch (IOException closed) {
            // The end.
        }
    }

    private void serve(Socket client, Fault fault) {
        try (client;
                Socket behind = new Socket(InetAddress.getLoopbackAddress(), target)) {
            switch (fault) {
                case CLOSED_AT_ONCE -> {}
                case RESET_IN_THE_REQUEST -> {
                    client.getInputStream().readNBytes(FEW_BYTES);
                    client.setSoLinger(true, 0);
                }
                // Takes everything, and never says a word.
                case HALF_OPEN -> client.getInputStream().transferTo(OutputStream.nullOutputStream());
                default -> {
                    start(() -> copy(client, behind, Fault.NONE));
                    copy(behind, client, fault);
                }
            }
        } catch (IOException e) {
            // One of them has gone, and so the other.
        }
    }

    private void copy(Socket from, Socket to, Fault fault) {
        byte[] buffer = new byte[fault == Fault.SLOW_ANSWER ? FEW_BYTES : 8192];
        try {
            InputStream in = from.getInputStream();
            for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
                if (fault == Fault.SLOW_ANSWER && !calm) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
                to.getOutputStream().write(buffer, 0, fault == Fault.CUT_ANSWER ? Math.min(read, FEW_BYTES) : read);
                if (fault == Fault.CUT_ANSWER) {
                    break;
                }
            }
            to.close();
        } catch (IOException e) {
            // One of them has gone, and so the other.
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "fault-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
