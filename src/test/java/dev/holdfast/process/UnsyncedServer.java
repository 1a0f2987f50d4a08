package dev.holdfast.process;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The power cut's control: a receiver that writes each push into a file before it answers 200, and never syncs it. */
final class UnsyncedServer {
    private final FileChannel file;

    private UnsyncedServer(FileChannel file) {
        this.file = file;
    }

    @SuppressWarnings("resource") // lives until it is killed
    public static void main(String[] args) throws IOException {
        FileChannel file = new RandomAccessFile(args[0], "rw").getChannel();
        UnsyncedServer unsynced = new UnsyncedServer(file);
        HttpServer server = Vertx.vertx()
                .createHttpServer()
                .requestHandler(unsynced::answer)
                .listen(0, "127.0.0.1")
                .await();
        // As a gateway says it, so that the same harness understands it.
        System.err.println("accepting pushes on 127.0.0.1:" + server.actualPort()
                + ", management on 127.0.0.1:0, 0 pushes up to 0 in the journal");
    }

    private void answer(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            ByteBuffer line = ByteBuffer.allocate(Integer.BYTES + body.length());
            line.putInt(body.length()).put(body.getBytes()).flip();
            try {
                file.write(line);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            request.response().end();
        });
    }

    /** What can be read back of the file. */
    static List<KeptPush> kept(Path path) throws IOException {
        List<KeptPush> kept = new ArrayList<>();
        if (Files.exists(path)) {
            try (DataInputStream file = new DataInputStream(Files.newInputStream(path))) {
                while (true) {
                    byte[] body = new byte[file.readInt()];
                    file.readFully(body);
                    kept.add(new KeptPush(kept.size() + 1L, BodyDigest.of(body)));
                }
            } catch (EOFException end) {
                return kept;
            }
        }
        return kept;
    }
}
