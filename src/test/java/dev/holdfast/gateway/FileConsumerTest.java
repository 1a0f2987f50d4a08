package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code verticle: file} behind a whole gateway. */
@Timeout(90)
class FileConsumerTest {
    private static final String DELIVERED = "holdfast_consumer_delivered_total{consumer=\"archive\"}";

    @TempDir
    Path directory;

    private GatewayUnderTest start(String... options) {
        String all = "directory: \"" + out() + "\"" + (options.length == 0 ? "" : ", " + String.join(", ", options));
        return GatewayUnderTest.start(new GatewaySettings().shipped("archive", "file", all), directory);
    }

    private Path out() {
        return directory.resolve("out");
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(out())) {
            return files.sorted().toList();
        }
    }

    /** Of all files, in the order of their names. */
    private List<JsonObject> lines() throws IOException {
        List<JsonObject> lines = new ArrayList<>();
        for (Path file : files()) {
            boolean compressed = file.toString().endsWith(".gz");
            try (InputStream in =
                    compressed ? new GZIPInputStream(Files.newInputStream(file)) : Files.newInputStream(file)) {
                new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
                        .lines()
                        .map(JsonObject::new)
                        .forEach(lines::add);
            }
        }
        return lines;
    }

    private List<Long> seqs() throws IOException {
        return lines().stream().map(line -> line.getLong("seq")).toList();
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }

    @Test
    void eachPushIsALine() throws Exception {
        String body = envelope("client.created", 1);
        try (GatewayUnderTest gateway = start()) {
            gateway.push(body);
            gateway.push(new byte[] {1, 2, (byte) 0xff});
            eventually(() -> assertThat(gateway.metric(DELIVERED)).isEqualTo(2));
        }
        JsonObject readable = lines().get(0);
        assertThat(readable.getJsonObject("body")).isEqualTo(new JsonObject(body));
        assertThat(readable.getString("event")).isEqualTo("client.created");
        assertThat(readable.getString("enterprise_token")).isEqualTo("ent-1");
        assertThat(readable.getInstant("created_at").getEpochSecond()).isEqualTo(1_700_000_000L);
        JsonObject unreadable = lines().get(1);
        assertThat(unreadable.getString("event")).isEqualTo("push.unreadable");
        assertThat(unreadable.getString("body_base64")).isEqualTo("AQL/");
        assertThat(unreadable.containsKey("body")).isFalse();
    }

    @Test
    void filesAreRotatedAndCompressedAndOverRestartsNothingIsLostOrTwice() throws Exception {
        for (int life = 0; life < 2; life++) {
            int soFar = 3000 * life;
            try (GatewayUnderTest gateway = start("rotate-size: 100KiB")) {
                DeliveryOrderTest.push(gateway, DeliveryOrderTest.envelopes("client.created", "life-" + life, 3000));
                eventually(() -> assertThat(gateway.metric(DELIVERED)).isEqualTo(3000));
            }
            assertThat(seqs()).isEqualTo(upTo(soFar + 3000));
        }
        assertThat(files()).hasSizeGreaterThan(5);
        assertThat(files().subList(0, files().size() - 1))
                .allMatch(file -> file.toString().endsWith("Z.ndjson.gz"));
        assertThat(files().get(files().size() - 1).toString()).endsWith("Z.ndjson");
    }

    @Test
    void aFullDiskCostsNothingButTime() throws Exception {
        Path full = Files.createDirectories(out()).resolve("archive-20200101T000000.000Z.ndjson");
        Files.createSymbolicLink(full, Path.of("/dev/full"));
        try (GatewayUnderTest gateway = start("rotate-age: 365d")) {
            DeliveryOrderTest.push(gateway, DeliveryOrderTest.envelopes("client.created", "one", 100));
            DeliveryOrderTest.push(gateway, DeliveryOrderTest.envelopes("client.created", "other", 100));
            eventually(() -> assertThat(gateway.metric("holdfast_consumer_retried_total{consumer=\"archive\"}"))
                    .isGreaterThan(3));
            assertThat(gateway.metric(DELIVERED)).isZero();

            Files.delete(full);
            Files.createFile(full);

            eventually(() -> assertThat(gateway.metric(DELIVERED)).isEqualTo(200));
        }
        assertThat(seqs()).containsExactlyInAnyOrderElementsOf(upTo(200));
    }

    @Test
    void aLineMayBeACloudEvent() throws Exception {
        try (GatewayUnderTest gateway = start("format: cloudevents")) {
            gateway.push("{\"event\":\n\"client.created\",\"enterprise_token\":\"ent-1\"}");
            gateway.push("{\"event\":\"client.deleted\"}");
            eventually(() -> assertThat(gateway.metric(DELIVERED)).isEqualTo(2));
        }
        assertThat(lines())
                .extracting(line -> line.getString("id"), line -> line.getString("type"))
                .containsExactly(tuple("default:1", "client.created"), tuple("default:2", "client.deleted"));
        assertThat(lines().get(0).getJsonObject("data").getString("enterprise_token"))
                .isEqualTo("ent-1");
    }

    @Test
    void aDirectoryThatCannotBeMadeIsTriedAgain() throws Exception {
        Files.createFile(out());

        try (GatewayUnderTest gateway = start()) {
            assertThat(gateway.push("{\"event\":\"client.created\"}").status()).isEqualTo(200);
            assertThat(gateway.metric("holdfast_consumer_running{consumer=\"archive\"}"))
                    .isZero();

            Files.delete(out());

            eventually(() -> assertThat(gateway.metric(DELIVERED)).isEqualTo(1));
        }
    }

    @Test
    void aDirectoryThatIsDeletedIsWrittenToOnceItIsThereAgain() throws Exception {
        try (GatewayUnderTest gateway = start()) {
            gateway.push("{\"event\":\"client.created\"}");
            eventually(() -> assertThat(gateway.metric(DELIVERED)).isEqualTo(1));
            Files.delete(files().get(0));
            Files.delete(out());
            gateway.push("{\"event\":\"client.deleted\"}");
            // The first time it was the sync that failed, and then the making of a file.
            eventually(() -> assertThat(gateway.metric("holdfast_consumer_retried_total{consumer=\"archive\"}"))
                    .isGreaterThan(1));

            Files.createDirectory(out());

            eventually(() -> assertThat(gateway.metric(DELIVERED)).isEqualTo(2));
            assertThat(seqs()).containsExactly(2L);
        }
    }

    @Test
    void aFileEndsWithItsAgeThoughNoPushFollows() throws Exception {
        try (GatewayUnderTest gateway = start("rotate-age: 100ms")) {
            gateway.push("{\"event\":\"client.created\"}");

            eventually(() -> assertThat(files()).singleElement().asString().endsWith(".gz"));
            assertThat(seqs()).containsExactly(1L);
        }
    }
}
