package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consumer.http.Certificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ConfigWatchTest {
    private final List<String> refusals = new ArrayList<>();
    private final List<HoldfastConfig> changes = new ArrayList<>();

    @TempDir
    Path directory;

    private Path file;
    private Path secret;
    private ConfigWatch watch;

    @BeforeEach
    void load() throws IOException {
        secret = Files.writeString(directory.resolve("secret"), "0123456789-the-old-one\n");
        file = Files.writeString(directory.resolve("holdfast.yaml"), """
                receiver:
                  endpoints:
                    - {name: default, path: /webhook, secrets: ["${file:%s}"]}
                """.formatted(secret));
        watch = watch(ConsumerCheck.NONE);
    }

    private ConfigWatch watch(ConsumerCheck check) {
        Supplier<LoadedConfig> reader = () -> ConfigLoader.readAgain(file, Map.of(), check);
        return new ConfigWatch(reader, ConfigLoader.read(file, Map.of(), check), new ConfigListener() {
            @Override
            public boolean changed(LoadedConfig changed) {
                return changes.add(changed.config());
            }

            @Override
            public void refused(List<String> problems) {
                refusals.add(String.join("\n", problems));
            }
        });
    }

    @Test
    void isSilentWhileNothingChanges() {
        checkTimes(5);

        assertThat(changes).isEmpty();
    }

    @Test
    void tellsOfAChangeOnce() throws IOException {
        checkTimes(3);
        Files.writeString(file, "plugins: jars\n" + Files.readString(file));
        checkTimes(5);

        assertThat(changes).hasSize(1);
        assertThat(changes.get(0).plugins()).isEqualTo(Path.of("jars"));
    }

    @Test
    void tellsOfAChangeMadeBeforeTheFirstCheck() throws IOException {
        Files.writeString(file, "plugins: jars\n" + Files.readString(file));
        checkTimes(3);

        assertThat(changes).hasSize(1);
    }

    @Test
    void tellsOfAChangedSecretFile() throws IOException {
        checkTimes(3);
        Files.writeString(secret, "0123456789-the-new-one\n");
        checkTimes(3);

        assertThat(changes).hasSize(1);
        assertThat(changes.get(0).receiver().endpoints().get(0).secrets())
                .containsExactly(new Secret("0123456789-the-new-one"));
    }

    @Test
    void waitsUntilTheFileIsWrittenToItsEnd() throws IOException {
        checkTimes(3);
        String whole = Files.readString(file);
        for (int length = 0; length < whole.length(); length++) {
            Files.writeString(file, whole.substring(0, length));
            watch.check();
        }
        Files.writeString(file, whole);
        checkTimes(3);

        assertThat(changes).isEmpty();
        assertThat(refusals).isEmpty();
    }

    @Test
    void refusesTheSameMistakeAgainWhenItComesBack() throws IOException {
        String good = Files.readString(file);
        for (int i = 0; i < 2; i++) {
            Files.writeString(file, good + "plugins: [1]\n");
            checkTimes(3);
            Files.writeString(file, good);
            checkTimes(3);
        }

        assertThat(refusals).hasSize(2).containsOnly(file + ":4: plugins: found a list, expected a path");
    }

    @Test
    void refusesABadChangeOnceAndTakesTheCorrectedOne() throws IOException {
        String good = Files.readString(file);
        Files.writeString(file, good + "plugins: [1]\n");
        checkTimes(6);
        assertThat(changes).isEmpty();
        assertThat(refusals).singleElement().asString().isEqualTo(file + ":4: plugins: found a list, expected a path");

        Files.writeString(file, good + "plugins: jars\n");
        checkTimes(3);
        assertThat(changes).hasSize(1);
    }

    @Test
    void noticesWhenAMissingSecretFileAppears() throws IOException {
        Path missing = directory.resolve("missing");
        Files.writeString(file, Files.readString(file).replace(secret.toString(), missing.toString()));
        checkTimes(6);
        assertThat(refusals).hasSize(1);

        Files.writeString(missing, "0123456789-the-new-one");
        checkTimes(3);
        assertThat(changes).hasSize(1);
    }

    @Test
    void tellsThatTheGoodOneIsBackAfterABadOne() throws IOException {
        String good = Files.readString(file);
        Files.writeString(file, good + "plugins: [1]\n");
        checkTimes(3);
        Files.writeString(file, good);
        checkTimes(3);

        assertThat(refusals).hasSize(1);
        assertThat(changes).hasSize(1);
    }

    @Test
    void tellsWhoeverAsksAtOnceAndBeItTheSame() throws IOException {
        checkTimes(3);
        watch.load();
        assertThat(changes).hasSize(1);

        Files.writeString(file, "plugins: [1]\n");
        watch.load();
        watch.load();
        checkTimes(3);
        assertThat(refusals).hasSize(2);
    }

    @Test
    void tellsOfAnotherCertificateInTheSameFiles() throws Exception {
        Certificate certificate = Certificate.make(Files.createDirectory(directory.resolve("one")));
        Certificate other = Certificate.make(Files.createDirectory(directory.resolve("other")));
        Files.writeString(
                file,
                Files.readString(file)
                        + "  tls: {certificate: %s, key: %s}\n".formatted(certificate.chain(), certificate.key()));
        checkTimes(3);
        assertThat(changes).hasSize(1);

        Files.copy(other.chain(), certificate.chain(), StandardCopyOption.REPLACE_EXISTING);
        checkTimes(3);
        assertThat(refusals).singleElement().asString().contains("which is not the key of");
        assertThat(changes).hasSize(1);

        Files.copy(other.key(), certificate.key(), StandardCopyOption.REPLACE_EXISTING);
        checkTimes(3);
        assertThat(changes).hasSize(2);
    }

    @Test
    void keepsTheOldOneWhenTheFileIsGone() throws IOException {
        Files.delete(file);
        checkTimes(6);

        assertThat(changes).isEmpty();
        assertThat(refusals).hasSize(1);
    }

    @Test
    void readsNothingAgainThatIsAsItWasLoaded() throws IOException {
        Files.writeString(file, Files.readString(file) + "consumers: [{name: mine, events: ['*'], verticle: log}]\n");
        AtomicInteger looks = new AtomicInteger();
        watch = watch((consumer, endpoints, plugins, files) -> looks.incrementAndGet());
        checkTimes(5);

        assertThat(looks).hasValue(1);
    }

    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void readsAPipeOnceAndLeavesItAlone() throws Exception {
        byte[] yaml = Files.readAllBytes(file);
        file = pipe(directory.resolve("pipe"));
        CompletableFuture<Path> written = CompletableFuture.supplyAsync(() -> {
            try {
                return Files.write(file, yaml, StandardOpenOption.WRITE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        watch = watch(ConsumerCheck.NONE);
        written.join();
        checkTimes(5);

        assertThat(changes).isEmpty();
        assertThat(refusals).isEmpty();
    }

    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void waitsForNobodyToWriteIntoAPipeThatHasTakenAFilesPlace() throws Exception {
        Files.delete(secret);
        pipe(secret);
        checkTimes(5);
        watch.load();

        assertThat(refusals)
                .hasSize(2)
                .allSatisfy(refusal -> assertThat(refusal)
                        .isEqualTo(secret + ": found a pipe or a device, which only a start reads, expected a file"));

        Files.delete(secret);
        Files.writeString(secret, "0123456789-the-new-one\n");
        checkTimes(2);

        assertThat(changes).hasSize(1);
    }

    private static Path pipe(Path path) throws Exception {
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor())
                .isZero();
        return path;
    }

    private void checkTimes(int times) {
        for (int i = 0; i < times; i++) {
            watch.check();
        }
    }
}
