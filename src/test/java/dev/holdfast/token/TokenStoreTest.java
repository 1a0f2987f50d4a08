package dev.holdfast.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.config.Secret;
import dev.holdfast.journal.LogWithoutStore;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenStoreTest {
    /** Enough of them where it is not the key's strength that is asked for. */
    private static final int FEW_ROUNDS = 10;

    private static final String KEY = "0123456789abcdef-key";

    @TempDir
    Path directory;

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {KEY, "k\u00e9y \u4f60 of many kinds of characters"})
    void whatIsKeptComesBack(@Nullable String key) throws IOException {
        PersistedToken first = kept("one");
        PersistedToken second = first.next("service", pair("two \u20ac"), "fingerprint");
        store(key).save(first);
        assertThat(store(key).load()).isEqualTo(first);
        store(key).save(second);

        assertThat(store(key).load()).isEqualTo(second);
    }

    @Test
    void theKeyIsMadeWithAllRounds() throws IOException {
        new TokenStore(directory.resolve("token"), new Secret(KEY)).save(kept("one"));

        assertThat(store(KEY).load()).isNull();
        assertThat(new TokenStore(directory.resolve("token"), new Secret(KEY)).load())
                .isEqualTo(kept("one"));
    }

    @Test
    void nothingIsKeptAtFirst() {
        assertThat(store(null).load()).isNull();
        assertThat(store(null).lastRequest()).isEmpty();
        assertThat(store(KEY).problem()).isEmpty();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = KEY)
    void everyFileIsItsOwnersOnly(@Nullable String key) throws IOException {
        PersistedToken kept = kept("one");
        for (int i = 0; i < 3; i++) {
            store(key).save(kept);
            kept = kept.again();
        }
        try (Stream<Path> files = Files.list(directory.resolve("token"))) {
            assertThat(files)
                    .hasSize(2)
                    .allSatisfy(file -> assertThat(Files.getPosixFilePermissions(file))
                            .isEqualTo(PosixFilePermissions.fromString("rw-------")));
        }
        assertThat(Files.getPosixFilePermissions(directory.resolve("token")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void withAKeyNothingReadableIsInTheFile() throws IOException {
        store(KEY).save(kept("c4nary"));

        assertThat(everything()).doesNotContain("c4nary").contains("aes-gcm");
    }

    @Test
    void noTwoWritingsLookAlike() throws IOException {
        TokenStore store = store(KEY);
        store.save(kept("one"));
        String first = everything();
        store.save(kept("one"));

        assertThat(everything()).isNotEqualTo(first);
    }

    @Test
    void whatWasKeptBeforeThereWasAKeyIsEncryptedInBothGenerations() throws IOException {
        PersistedToken first = kept("c4nary-1");
        store(null).save(first);
        store(null).save(first.next("service", pair("c4nary-2"), null));
        PersistedToken loaded = Objects.requireNonNull(store(KEY).load());

        assertThat(loaded.pair()).isEqualTo(pair("c4nary-2"));
        assertThat(contents()).doesNotContain("plain");
        assertThat(Objects.requireNonNull(store(KEY).load()).pair()).isEqualTo(pair("c4nary-2"));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "another key, which is wrong")
    void withAnotherKeyNothingIsLoadedAndNothingIsLost(@Nullable String wrong) throws IOException {
        store(KEY).save(kept("one"));
        TokenStore store = store(wrong);

        assertThat(store.load()).isNull();
        assertThat(store.problem()).isNotEmpty();
        assertThat(store.withheld()).isTrue();
        assertThat(store(KEY).load()).isEqualTo(kept("one"));
    }

    @Test
    void whatCantBeReadIsPutAsideByTheNextWriting() throws IOException {
        store(KEY).save(kept("one"));
        TokenStore store = store(null);
        assertThat(store.load()).isNull();
        store.save(kept("two"));

        assertThat(directory.resolve("token/token-1.unreadable")).exists();
        assertThat(store(null).load()).isEqualTo(kept("two"));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = KEY)
    void aTornWriteNeverLosesTheLastGoodPair(@Nullable String key) throws IOException {
        PersistedToken first = kept("one");
        PersistedToken second = first.next("service", pair("two"), null);
        store(key).save(first);
        store(key).save(second);
        Path latest = directory.resolve("token/token-0");
        byte[] whole = Files.readAllBytes(latest);
        // What Base64 is filled up with, and the newline behind it, say nothing.
        for (int length = 0; length < whole.length - 3; length++) {
            Files.write(latest, Arrays.copyOf(whole, length));
            assertThat(store(key).load()).as("cut to %d bytes", length).isEqualTo(first);
        }
    }

    @Test
    void aFileThatBecameLongerThanMemoryNeverLosesTheLastGoodPair() throws IOException {
        PersistedToken first = kept("one");
        store(null).save(first);
        store(null).save(first.next("service", pair("two"), null));
        try (RandomAccessFile lengthened =
                new RandomAccessFile(directory.resolve("token/token-0").toFile(), "rw")) {
            lengthened.setLength(3L << 30);
        }

        assertThat(store(null).load()).isEqualTo(first);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = KEY)
    void aFlippedBitNeverLosesTheLastGoodPair(@Nullable String key) throws IOException {
        PersistedToken first = kept("one");
        store(key).save(first);
        store(key).save(first.next("service", pair("two"), null));
        Path latest = directory.resolve("token/token-0");
        byte[] whole = Files.readAllBytes(latest);
        Random random = new Random(7);
        for (int i = 0; i < 40; i++) {
            byte[] damaged = whole.clone();
            // the newline at the end says nothing
            damaged[random.nextInt(whole.length - 1)] ^= (byte) (1 << random.nextInt(7));
            Files.write(latest, damaged);
            assertThat(store(key).load()).isEqualTo(first);
        }
    }

    @Test
    void nonsenseInEveryFileIsNothingKept() throws IOException {
        Files.createDirectories(directory.resolve("token"));
        Files.writeString(directory.resolve("token/token-0"), "nonsense");
        Files.write(directory.resolve("token/token-1"), new byte[2 * 1024 * 1024]);
        Files.writeString(directory.resolve("token/last-request"), "yesterday");
        TokenStore store = store(null);

        assertThat(store.load()).isNull();
        assertThat(store.problem()).isNotEmpty();
        assertThat(store.lastRequest()).isEmpty();
    }

    @Test
    void theJournalToleratesIt() throws IOException {
        for (int i = 0; i < 3; i++) {
            LogWithoutStore.open(directory).close();
            store(null).save(kept("one"));
        }
        LogWithoutStore.open(directory).close();

        assertThat(store(null).load()).isEqualTo(kept("one"));
    }

    @Test
    void noDataDirectoryIsMadeInThePlaceOfOneThatIsAway() {
        Path data = directory.resolve("data");
        TokenStore store = new TokenStore(data.resolve("token"), null);

        assertThatThrownBy(() -> store.save(kept("one"))).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> store.requestBegins(Instant.EPOCH)).isInstanceOf(NoSuchFileException.class);

        assertThat(data).doesNotExist();
    }

    @Test
    void whatIsKeptWritesItselfWithoutTokens() {
        assertThat(kept("c4nary").toString()).doesNotContain("c4nary");
        assertThat(pair("c4nary").toString()).doesNotContain("c4nary");
    }

    private TokenStore store(@Nullable String key) {
        return new TokenStore(directory.resolve("token"), key == null ? null : new Secret(key), FEW_ROUNDS);
    }

    private static PersistedToken kept(String value) {
        return new PersistedToken(1, "service", pair(value), List.of("used"), new PersistedToken.Refused("refused", 3));
    }

    private static TokenPair pair(String value) {
        return new TokenPair(
                value, value + "-refresh", "all", Instant.parse("2026-03-01T12:00:00.123Z"), Duration.ofHours(2));
    }

    private String everything() throws IOException {
        return String.join("\n", contents());
    }

    private List<String> contents() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("token"))) {
            return files.map(TokenStoreTest::text).toList();
        }
    }

    private static String text(Path file) {
        try {
            String raw = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
            String last = raw.substring(raw.lastIndexOf(' ') + 1);
            byte[] decoded = java.util.Base64.getDecoder().decode(last);
            return raw + "\n" + new String(decoded, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
