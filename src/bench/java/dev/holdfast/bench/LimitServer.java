package dev.holdfast.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Server (b), the limit: verifies the signature, appends the body to one file, syncs once per group, answers {@code
 * 200}. It neither parses, nor finds duplicates, nor delivers, nor can it recover. Usage: {@code LimitServer PORT FILE},
 * secret in the environment as {@code HOLDFAST_SECRET}.
 */
final class LimitServer implements Handler<HttpServerRequest> {
    private final byte[] secret;
    private final GroupFile file;
    private final MessageDigest sha1;

    private LimitServer(byte[] secret, GroupFile file) {
        this.secret = secret;
        this.file = file;
        this.sha1 = sha1();
    }

    public static void main(String[] args) throws IOException {
        byte[] secret = System.getenv("HOLDFAST_SECRET").getBytes(UTF_8);
        GroupFile file = new GroupFile(Path.of(args[1]));
        YardstickServer.run(Integer.parseInt(args[0]), () -> new LimitServer(secret, file));
    }

    @Override
    public void handle(HttpServerRequest request) {
        request.bodyHandler(body -> receive(request, body));
    }

    private void receive(HttpServerRequest request, Buffer buffer) {
        byte[] body = buffer.getBytes();
        if (!authentic(body, request.getHeader("Service-Signature"))) {
            request.response().setStatusCode(401).end();
            return;
        }
        Context context = Vertx.currentContext();
        file.append(body, context, request.response()::end);
    }

    private boolean authentic(byte[] body, @Nullable String signature) {
        if (signature == null || signature.length() != 40) {
            return false;
        }
        sha1.update(body);
        sha1.update(secret);
        byte[] expected = sha1.digest();
        try {
            return MessageDigest.isEqual(expected, HexFormat.of().parseHex(signature));
        } catch (IllegalArgumentException notHex) {
            return false;
        }
    }

    private static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("found no SHA-1; expected it of every Java platform", e);
        }
    }
}
