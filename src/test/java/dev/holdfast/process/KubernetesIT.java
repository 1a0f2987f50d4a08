package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guide's objects for Kubernetes, as far as a gateway sees them. There is no cluster: what the kubelet does is done here. */
final class KubernetesIT {
    private static final String TOKEN = "the-management-token-of-this-test-19c4";

    @TempDir
    Path directory;

    private final PushClient client = new PushClient();
    private final Map<String, JsonNode> objects = new HashMap<>();
    private Installation installation;

    @BeforeEach
    void install() throws IOException {
        installation = new Installation(directory);
        installation.keepSecret(TOKEN);
        String guide = Files.readString(Path.of("src/site/markdown/operating.md"));
        int begin = guide.indexOf("apiVersion: v1");
        try (MappingIterator<JsonNode> all = new YAMLMapper()
                .readerFor(JsonNode.class)
                .readValues(guide.substring(begin, guide.indexOf("```", begin)))) {
            all.forEachRemaining(object -> objects.put(object.get("kind").textValue(), object));
        }
    }

    @AfterEach
    void remove() {
        installation.close();
    }

    @Test
    void aPodReceivesIsAskedByItsProbeAndTakesUpAChangedConfigMapAndSecret() throws Exception {
        Path secrets = installation.path("secrets");
        mount(secrets, Map.of("signing-secret", Installation.SECRET, "management-token", TOKEN));
        Path configuration = installation.path("configuration");
        mount(configuration, Map.of("holdfast.yaml", configuration()));
        Files.createDirectory(
                installation.path("volume"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxrwx---")));

        Child gateway = installation.start(
                "run", "-c", configuration.resolve("holdfast.yaml").toString());
        gateway.awaitReady();
        Await.until(
                "the pod is ready",
                () -> client.get(gateway.management(probe())).statusCode() == 200);
        assertThat(client.push(gateway, 0).statusCode()).isEqualTo(200);
        assertThat(installation.path("volume/data")).isNotEmptyDirectory();

        String next = "the-next-secret-of-these-tests-77aa";
        installation.keepSecret(next);
        mount(secrets, Map.of("signing-secret", next, "management-token", TOKEN));
        Await.until("the next secret is accepted", () -> status(gateway, next) == 200);
        mount(configuration, Map.of("holdfast.yaml", configuration().replace("path: /webhook", "path: /elsewhere")));
        Await.until("the endpoint has moved", () -> status(gateway, next) == 404);
    }

    private int status(Child gateway, String secret) throws Exception {
        return client.send(gateway.webhook(), secret, "client.created", 0).statusCode();
    }

    private String probe() {
        return text("StatefulSet", "/spec/template/spec/containers/0/readinessProbe/httpGet/path");
    }

    private String text(String kind, String pointer) {
        return Objects.requireNonNull(objects.get(kind), kind).at(pointer).textValue();
    }

    /** With directories of this test, and free ports. */
    private String configuration() {
        return text("ConfigMap", "/data/holdfast.yaml")
                .replace("/run/secrets/holdfast", installation.path("secrets").toString())
                .replace("/var/lib/holdfast", installation.path("volume").toString())
                .replace("receiver:\n", "receiver:\n  port: 0\n  drain-delay: 0s\n")
                .replace("management:\n", "management:\n  port: 0\n");
    }

    /** As the kubelet writes a volume: all files in a new directory, of which a link tells that changes in one step. */
    private static void mount(Path volume, Map<String, String> files) throws IOException {
        Files.createDirectories(volume);
        Path fresh = Files.createTempDirectory(volume, "..");
        Path data = volume.resolve("..data");
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(fresh.resolve(file.getKey()), file.getValue());
            Path name = volume.resolve(file.getKey());
            if (!Files.isSymbolicLink(name)) {
                Files.createSymbolicLink(name, Path.of("..data", file.getKey()));
            }
        }
        Path link = Files.createSymbolicLink(volume.resolve("..data_tmp"), fresh.getFileName());
        Files.move(link, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
