package dev.holdfast.consumer.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An HTTP proxy for one request a connection: tunnels by CONNECT, and passes requests in absolute form on. */
final class SmallProxy {
    private static final String END = "\r\n\r\n";

    private final @Nullable String authorization;
    private final NetClient client;
    private final int port;
    private final List<String> requestLines = new CopyOnWriteArrayList<>();

    /** @param authorization what it wants to see as {@code Proxy-Authorization}; null: nothing */
    SmallProxy(Vertx vertx, @Nullable String authorization) {
        this.authorization = authorization;
        this.client = vertx.createNetClient();
        this.port = vertx.createNetServer()
                .connectHandler(near -> {
                    Buffer head = Buffer.buffer();
                    near.handler(bytes -> {
                        head.appendBuffer(bytes);
                        if (head.toString(ISO_8859_1).contains(END)) {
                            near.pause();
                            begin(near, head.toString(ISO_8859_1));
                        }
                    });
                })
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
    }

    int port() {
        return port;
    }

    List<String> requestLines() {
        return requestLines;
    }

    private void begin(NetSocket near, String request) {
        String line = request.substring(0, request.indexOf("\r\n"));
        requestLines.add(line);
        String[] words = line.split(" ");
        if (authorization != null
                && !request.toLowerCase(java.util.Locale.ROOT)
                        .contains(
                                "proxy-authorization: " + authorization.toLowerCase(java.util.Locale.ROOT) + "\r\n")) {
            near.end(Buffer.buffer("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0" + END));
        } else if (words[0].equals("CONNECT")) {
            join(near, URI.create("tcp://" + words[1]), "HTTP/1.1 200 OK" + END, "");
        } else {
            URI target = URI.create(words[1]);
            String rest = request.substring(line.length())
                    .replaceFirst("(?i)\r\nproxy-authorization: [^\r]*", "")
                    .replaceFirst(END, "\r\nConnection: close" + END);
            join(near, target, "", words[0] + " " + target.getRawPath() + " HTTP/1.1" + rest);
        }
    }

    private void join(NetSocket near, URI target, String toNear, String toFar) {
        client.connect(target.getPort(), target.getHost())
                .onComplete(
                        far -> {
                            near.write(Buffer.buffer(toNear, "ISO-8859-1"));
                            far.write(Buffer.buffer(toFar, "ISO-8859-1"));
                            near.handler(far::write).closeHandler(closed -> far.close());
                            far.handler(near::write).closeHandler(closed -> near.close());
                            near.resume();
                        },
                        failure -> near.close());
    }
}
