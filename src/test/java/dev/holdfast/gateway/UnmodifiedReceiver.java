package dev.holdfast.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What an integrator has today: written against the platform's interface (sections 4.2 and 5.2) and nothing else, with
 * nothing of Holdfast's code. Answers 200 to an authentic push and 401 to any other request.
 */
final class UnmodifiedReceiver implements AutoCloseable {
    private final HttpServer server;
    private final String secret;
    private final String header;
    private final List<String> accepted = new CopyOnWriteArrayList<>();
    private final List<String> refused = new CopyOnWriteArrayList<>();

    UnmodifiedReceiver(String secret, String header) throws IOException {
        this.secret = secret;
        this.header = header;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/webhook", this::receive);
        server.start();
    }

    private void receive(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        String signature = exchange.getRequestHeaders().getFirst(header);
        boolean authentic = sha1(body + secret).equals(signature);
        (authentic ? accepted : refused).add(body);
        exchange.sendResponseHeaders(authentic ? 200 : 401, -1);
        exchange.close();
    }

    private static String sha1(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/webhook";
    }

    List<String> accepted() {
        return accepted;
    }

    List<String> refused() {
        return refused;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
