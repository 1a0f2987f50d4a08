package dev.holdfast.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A rightly signed push of any size, which takes no more memory and hardly more of a processor than a small one to be sent.
 */
final class LargePush {
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final byte[] FILLER = " ".repeat(64 * 1024).getBytes(UTF_8);

    private static final Map<Integer, MessageDigest> SPACES = new ConcurrentHashMap<>();

    private final int number;
    private final int size;
    private final String signature;

    LargePush(int number, int size) {
        this(number, size, Installation.SECRET);
    }

    /** Signed with a secret that may be the wrong one. */
    LargePush(int number, int size, String secret) {
        this.number = number;
        this.size = size;
        this.signature = sign(secret);
    }

    /** Behind spaces: so the pushes of a size begin alike, and what is alike is digested once. */
    private byte[] end() {
        return ("{\"id\":\"sub_e1_1735689600\",\"event\":\"client.created\",\"enterprise_token\":\"e" + number
                        + "\",\"created_at\":1735689600,\"n\":" + number + "}")
                .getBytes(UTF_8);
    }

    private String sign(String secret) {
        try {
            MessageDigest sha1 = (MessageDigest) SPACES.computeIfAbsent(size - end().length, LargePush::digested)
                    .clone();
            sha1.update(end());
            return HexFormat.of().formatHex(sha1.digest(secret.getBytes(UTF_8)));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static MessageDigest digested(int spaces) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            for (int left = spaces; left > 0; left -= FILLER.length) {
                sha1.update(FILLER, 0, Math.min(left, FILLER.length));
            }
            return sha1;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The status of the answer; 0 when the connection ended without one. */
    int sendTo(URI webhook) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), webhook.getPort())) {
            return sendOn(socket);
        } catch (IOException e) {
            return 0;
        }
    }

    /** The same on a connection that stays open, if the gateway leaves it so. */
    int sendOn(Socket socket) {
        try {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            // Or many of them fill the machine's memory with what no one reads yet, and packets get lost.
            socket.setSendBufferSize(FILLER.length);
            write(socket.getOutputStream());
        } catch (IOException e) {
            // Answered before all of it was sent, maybe: the answer is still to be read.
        }
        try {
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
            String status = in.readLine();
            return status == null ? 0 : Integer.parseInt(status.split(" ", 3)[1]);
        } catch (IOException e) {
            return 0;
        }
    }

    private void write(OutputStream out) throws IOException {
        out.write(("POST /webhook HTTP/1.1\r\nHost: gateway\r\nService-Signature: " + signature + "\r\nContent-Length: "
                        + size + "\r\n\r\n")
                .getBytes(ISO_8859_1));
        for (int left = size - end().length; left > 0; left -= FILLER.length) {
            out.write(FILLER, 0, Math.min(left, FILLER.length));
        }
        out.write(end());
        out.flush();
    }
}
