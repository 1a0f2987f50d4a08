package dev.holdfast.signature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigLoader;
import dev.holdfast.config.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class LiveSecretsTest {
    private static final byte[] BODY = utf8("{\"id\":\"sub_abc_1700000000\",\"event\":\"conversation.created\"}");
    private static final Secret SECRET = new Secret("a-secret-of-the-enterprise");
    /** {@code printf %s BODY SECRET | sha1sum}. */
    private static final String SIGNATURE = "38d7b376dccf115c2ff2c5bce726c4dcf1ce8986";

    private final LiveSecrets live = new LiveSecrets(List.of(SECRET));

    @Test
    void takesTheSignatureThatAnotherProgramMade() {
        assertThat(live.matches(BODY, SIGNATURE)).isTrue();
    }

    @Test
    void takesHexadecimalDigitsInEitherCase() {
        String upper = SIGNATURE.toUpperCase(Locale.ROOT);

        assertThat(live.matches(BODY, upper)).isTrue();
        assertThat(live.matches(BODY, upper.substring(0, 20) + SIGNATURE.substring(20)))
                .isTrue();
    }

    @Test
    void takesEveryLiveSecret() {
        List<Secret> secrets = List.of(new Secret("old"), SECRET, new Secret("new"));
        LiveSecrets several = new LiveSecrets(secrets);

        for (Secret secret : secrets) {
            assertThat(several.matches(BODY, SignatureScheme.sign(BODY, secret.bytes())))
                    .isTrue();
        }
        assertThat(several.matches(BODY, SignatureScheme.sign(BODY, utf8("other"))))
                .isFalse();
    }

    @Test
    void takesNothingWithoutASecret() {
        assertThat(new LiveSecrets(List.of()).matches(BODY, SIGNATURE)).isFalse();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                " ",
                "da39a3ee5e6b4b0d3255bfef95601890afd8070",
                "da39a3ee5e6b4b0d3255bfef95601890afd807090",
                "da39a3ee5e6b4b0d3255bfef95601890afd8070g",
                " da39a3ee5e6b4b0d3255bfef95601890afd8070",
                "0xda39a3ee5e6b4b0d3255bfef95601890afd807",
                "da39a3ee5e6b4b0d3255bfef95601890afd8070\u0669",
                "da39a3ee5e6b4b0d3255bfef95601890afd8070\uff19",
                "da39a3ee5e6b4b0d3255bfef95601890afd8070\u0019"
            })
    void refusesWhatIsNotFortyHexadecimalDigits(String signature) {
        byte[] nothing = {};
        LiveSecrets empty = new LiveSecrets(List.of(new Secret("")));
        assertThat(empty.matches(nothing, "da39a3ee5e6b4b0d3255bfef95601890afd80709"))
                .isTrue();

        assertThat(empty.matches(nothing, signature)).isFalse();
        assertThat(SignatureScheme.isWellFormed(signature)).isFalse();
    }

    @Test
    void refusesASignatureWithAnySingleBitFlipped() {
        for (int bit = 0; bit < 160; bit++) {
            byte[] digest = SignatureScheme.digests(BODY, SECRET.bytes())[0];
            digest[bit / 8] ^= (byte) (1 << bit % 8);

            assertThat(live.matches(BODY, HexFormat.of().formatHex(digest))).isFalse();
        }
    }

    @Test
    void refusesABodyWithItsLastBitFlipped() {
        byte[] body = BODY.clone();
        body[body.length - 1] ^= 1;

        assertThat(live.matches(body, SIGNATURE)).isFalse();
    }

    @Test
    void verifiesAnEmptyBody() {
        assertThat(live.matches(new byte[0], SignatureScheme.sign(SECRET.bytes(), new byte[0])))
                .isTrue();
    }

    @Test
    void hashesTheBytesOfABodyAndTheUtf8OfASecret() {
        byte[] body = new byte[256];
        new Random(1).nextBytes(body);
        byte[] both = new byte[256 + 10];
        byte[] secret = {
            (byte) 0xE5,
            (byte) 0xAF,
            (byte) 0x86,
            (byte) 0xF0,
            (byte) 0x9F,
            (byte) 0x94,
            (byte) 0x91,
            (byte) 0xC3,
            (byte) 0xA9,
            '!'
        };
        System.arraycopy(body, 0, both, 0, 256);
        System.arraycopy(secret, 0, both, 256, 10);

        assertThat(new LiveSecrets(List.of(new Secret("\u5bc6\ud83d\udd11\u00e9!")))
                        .matches(body, SignatureScheme.sign(both, new byte[0])))
                .isTrue();
    }

    @Test
    void verifiesWithASecretFromAFileThatEndsInANewline(@TempDir Path directory) throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), SECRET.reveal() + "\n");
        Path file = Files.writeString(directory.resolve("holdfast.yaml"), """
                receiver:
                  endpoints:
                    - {name: default, path: /webhook, secrets: ["${file:%s}"]}
                """.formatted(secret));
        List<Secret> secrets = ConfigLoader.read(file, Map.of())
                .config()
                .receiver()
                .endpoints()
                .get(0)
                .secrets();

        assertThat(new LiveSecrets(secrets).matches(BODY, SIGNATURE)).isTrue();
    }

    @Test
    void takesOnlyTheNewSecretsOnceTheyAreReplaced() {
        live.replace(List.of(new Secret("new")));

        assertThat(live.matches(BODY, SIGNATURE)).isFalse();
        assertThat(live.matches(BODY, SignatureScheme.sign(BODY, utf8("new")))).isTrue();
    }

    @Test
    void neverLosesAPushWhileSecretsAreReplaced() throws InterruptedException {
        AtomicBoolean done = new AtomicBoolean();
        Thread rotation = new Thread(() -> {
            while (!done.get()) {
                live.replace(List.of(SECRET, new Secret("new")));
                live.replace(List.of(SECRET));
            }
        });
        rotation.start();
        try {
            for (int i = 0; i < 20_000; i++) {
                assertThat(live.matches(BODY, SIGNATURE)).isTrue();
            }
        } finally {
            done.set(true);
            rotation.join();
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
