package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consumer.http.Certificate;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code conf/holdfast.yaml} as it is shipped. */
class ShippedConfigTest {
    private static final Path SHIPPED = Path.of("conf/holdfast.yaml");
    private static final Map<String, String> ENVIRONMENT = Map.of("HOLDFAST_SECRET", "0123456789abcdef-strong");
    /** Comments begin with one blank behind the "#", settings that are commented out with none or with pairs of them. */
    private static final Pattern COMMENTED_OUT = Pattern.compile("(?m)^( *)#(?=(?:  )*(?:- )?[A-Za-z-]+:)");

    @TempDir
    Path directory;

    @Test
    void needsNothingButTheSecret() {
        assertThat(ConfigLoader.read(SHIPPED, ENVIRONMENT).warnings()).isEmpty();
    }

    @Test
    void hasTheDefaultsAndTwoConsumers() throws IOException {
        HoldfastConfig shipped = ConfigLoader.read(SHIPPED, ENVIRONMENT).config();
        HoldfastConfig bare = ConfigLoader.read(Files.writeString(directory.resolve("bare.yaml"), """
                        receiver:
                          endpoints:
                            - {name: default, path: /webhook, secrets: ["${HOLDFAST_SECRET}"]}
                        consumers:
                          - name: conversations
                            events: ["conversation.*"]
                            verticle: dev.holdfast.consumer.ConversationConsumer
                          - name: clients
                            events: ["client.*", "visitor.*"]
                            verticle: dev.holdfast.consumer.ClientConsumer
                        """), ENVIRONMENT)
                .config();

        assertThat(shipped).isEqualTo(bare);
    }

    @Test
    void showsEveryKey() throws IOException {
        Set<String> shown = keys(uncommented());

        assertThat(shown).containsAll(keys(HoldfastConfig.class, ""));
    }

    /** Of a record and those below it, such as {@code receiver.endpoints[].path}. */
    private static Set<String> keys(Class<? extends Record> section, String path) {
        Set<String> keys = new HashSet<>();
        KnownKeys.components(section).forEach(component -> {
            String key = path + KnownKeys.of(component);
            keys.add(key);
            Type type = component.getGenericType();
            if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
                key += "[]";
                type = list.getActualTypeArguments()[0];
            }
            if (type instanceof Class<?> below && below.isRecord()) {
                keys.addAll(keys(below.asSubclass(Record.class), key + "."));
            }
        });
        return keys;
    }

    @Test
    void isStillValidWithEverythingSwitchedOn() throws Exception {
        Certificate certificate = Certificate.make(directory);
        String yaml = uncommented()
                .replace("conf/tls.crt", certificate.chain().toString())
                .replace("conf/tls.key", certificate.key().toString())
                .replace("/run/secrets/receiver-token", certificate.chain().toString());
        Path file = Files.writeString(directory.resolve("holdfast.yaml"), yaml);

        HoldfastConfig config = ConfigLoader.read(
                        file,
                        Map.of(
                                "HOLDFAST_SECRET", "0123456789abcdef-strong",
                                "HOLDFAST_APP_ID", "app",
                                "HOLDFAST_APP_SECRET", "app-secret",
                                "RECEIVER_API_KEY", "receiver-key"))
                .config();

        assertThat(config.receiver().tls())
                .isEqualTo(new TlsConfig(
                        certificate.chain(),
                        certificate.key(),
                        TlsIdentity.read(certificate.chain(), certificate.key())));
        assertThat(config.platform().clientField()).isEqualTo("client");
        assertThat(config.consumers().get(0).options()).isEqualTo(Map.of("anything", "at all"));
        assertThat(config.consumers())
                .extracting(ConsumerConfig::name)
                .containsExactly("conversations", "clients", "forward", "archive");
        assertThat(config.token())
                .usingRecursiveComparison()
                .ignoringFields("trust")
                .isEqualTo(TokenSectionTest.withDefaults("https://platform.example", "app", "app-secret"));
    }

    private static String uncommented() throws IOException {
        return COMMENTED_OUT.matcher(Files.readString(SHIPPED)).replaceAll("$1");
    }

    private static Set<String> keys(String yaml) {
        Problems problems = new Problems(SHIPPED);
        Set<String> keys = new TreeSet<>();
        collect(YamlText.read(yaml, problems), "", keys);
        problems.throwIfAny(new JudgedFiles());
        return keys;
    }

    private static void collect(Node node, String prefix, Set<String> keys) {
        if (node instanceof Node.Mapping mapping) {
            mapping.entries().forEach((key, value) -> {
                keys.add(prefix + key);
                collect(value, prefix + key + (value instanceof Node.Sequence ? "[]." : "."), keys);
            });
        }
        if (node instanceof Node.Sequence sequence) {
            sequence.items().forEach(item -> collect(item, prefix, keys));
        }
    }
}
