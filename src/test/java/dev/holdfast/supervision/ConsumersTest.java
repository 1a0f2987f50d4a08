package dev.holdfast.supervision;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LogLines;
import dev.holdfast.consumer.ClientConsumer;
import dev.holdfast.consumer.LogConsumer;
import dev.holdfast.consumer.PushConsumer;
import dev.holdfast.process.PluginJar;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which consumers can be made by name, and what is said of those that can't. */
class ConsumersTest {
    @TempDir
    Path plugins;

    @TempDir
    Path classes;

    public abstract static class Sketch extends LogConsumer {
        public Sketch() {}
    }

    public static final class Private extends LogConsumer {
        private Private() {}
    }

    public static final class Demanding extends LogConsumer {
        public Demanding(String demanded) {
            throw new IllegalStateException(demanded);
        }
    }

    public static final class Failing extends LogConsumer {
        public Failing() {
            throw new IllegalStateException("no luck");
        }
    }

    public static final class FailingEarly extends PushConsumer {
        private static final int NUMBER = Integer.parseInt("none");

        public FailingEarly() {}

        @Override
        protected Future<?> handle(Push push) {
            return Future.succeededFuture(NUMBER);
        }
    }

    private void requireMessage(String verticle, String message) throws IOException {
        Consumers consumers = new Consumers(plugins);
        assertThatThrownBy(() -> consumers.create(verticle))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private static String named(Class<?> type) {
        return type.getName();
    }

    @Test
    void shippedConsumersAreMadeByShortNameOrClassName() throws IOException {
        Consumers consumers = new Consumers(plugins.resolve("absent"));

        assertThat(consumers.create("log")).isExactlyInstanceOf(LogConsumer.class);
        assertThat(consumers.create(named(ClientConsumer.class))).isExactlyInstanceOf(ClientConsumer.class);
    }

    @Test
    void aClassThatIsNowhereIsSaidWithWhereItWasLookedFor() throws IOException {
        requireMessage(
                "com.example.Missing",
                "found no class com.example.Missing (looked in the gateway itself; there was no jar in " + plugins
                        + "/ as this process started, and jars are read only then), expected a class name or one of [file, http, log]");

        Path jar = Files.write(plugins.resolve("a.jar"), new byte[0]);
        requireMessage(
                "com.example.Missing",
                "found no class com.example.Missing (looked in the gateway itself and [" + jar
                        + " (which can't be read: java.util.zip.ZipException: zip file is empty)], read as this process started, and only then), expected a class name or one of [file, http, log]");
    }

    @Test
    void aClassThatIsNoConsumerIsSaidToBeNone() throws IOException {
        requireMessage(
                "java.lang.String",
                "found class java.lang.String, expected one that extends dev.holdfast.consumer.PushConsumer");
    }

    @Test
    void aClassThatCantBeMadeIsSaidToBeSo() throws IOException {
        String unreachable = " is not public or has no public constructor without parameters";
        requireMessage(named(Private.class), "class " + named(Private.class) + unreachable);
        requireMessage(named(Demanding.class), "class " + named(Demanding.class) + unreachable);
        requireMessage(named(Sketch.class), "class " + named(Sketch.class) + " is abstract");
    }

    @Test
    void aClassThatFailsSaysWhy() throws IOException {
        try (Consumers consumers = new Consumers(plugins)) {
            String failing = named(Failing.class);
            assertThatThrownBy(() -> consumers.create(failing))
                    .as("it may pass")
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("class " + failing + " can't be made: java.lang.IllegalStateException: no luck");
        }
        requireMessage(
                named(FailingEarly.class),
                "class " + named(FailingEarly.class)
                        + " can't be made: java.lang.NumberFormatException: For input string: \"none\"");
    }

    private Path jarOf(String className) throws IOException {
        return jarOf(className, "");
    }

    private Path jarOf(String className, String members) throws IOException {
        String code = "package example; public class " + className + " extends dev.holdfast.consumer.LogConsumer {"
                + members + "}";
        PluginJar.compile("example." + className, code, System.getProperty("java.class.path"), classes);
        PluginJar.pack(classes, plugins.resolve("b.jar"));
        return plugins.resolve("b.jar");
    }

    @Test
    void aJarThatCantBeReadIsWarnedOfAndKeepsNothingFromBeingMade() throws IOException {
        byte[] whole = Files.readAllBytes(jarOf("Diary"));
        Path garbage = Files.write(plugins.resolve("a.jar"), new byte[100]);
        Path truncated = Files.write(plugins.resolve("c.jar"), Arrays.copyOf(whole, whole.length / 2));

        try (LogLines log = LogLines.atWarn();
                Consumers consumers = new Consumers(plugins)) {
            consumers.warnOfUnreadable();

            assertThat(consumers.create("example.Diary")).isInstanceOf(LogConsumer.class);
            assertThat(log.lines()).hasSize(2);
            assertThat(log.lines().get(0)).contains(garbage + " is passed over: it can't be read: java.util.zip.");
            assertThat(log.lines().get(1)).contains(truncated + " is passed over: it can't be read: java.util.zip.");
        }
    }

    /** What a class of it fails with doesn't name the jar. */
    @Test
    void aJarWhoseManifestCantBeReadIsWarnedOf() throws IOException {
        Path bad = plugins.resolve("a.jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(bad))) {
            jar.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF"));
            jar.write("no manifest at all\n".getBytes(US_ASCII));
        }

        try (LogLines log = LogLines.atWarn();
                Consumers consumers = new Consumers(plugins)) {
            consumers.warnOfUnreadable();

            assertThat(log.text()).contains(bad + " is passed over: it can't be read: java.io.IOException: invalid");
        }
    }

    @Test
    void aClassThatItsJarKeepsFromBeingLoadedSaysWhy() throws IOException {
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(plugins.resolve("a.jar")))) {
            jar.putNextEntry(new ZipEntry("java/example/Prohibited.class"));
        }
        Path damaged = jarOf("Diary");
        byte[] bytes = Files.readAllBytes(damaged);
        Arrays.fill(bytes, 53, 99, (byte) 0xff);
        Files.write(damaged, bytes);

        requireMessage(
                "java.example.Prohibited",
                "class java.example.Prohibited can't be loaded: java.lang.SecurityException: Prohibited package name: java.example");
        requireMessage(
                "example.Diary", "class example.Diary can't be loaded: java.util.zip.ZipException: invalid block type");
    }

    @Test
    void whatItsConstructorLooksForIsFoundInItsJar() throws IOException {
        jarOf("Looking", "public final ClassLoader searched = Thread.currentThread().getContextClassLoader();");

        try (Consumers consumers = new Consumers(plugins)) {
            assertThat(consumers.create("example.Looking"))
                    .extracting("searched")
                    .isInstanceOf(URLClassLoader.class);
        }
    }

    @Test
    void whichOfTwoJarsAClassIsFromIsSaidOnce() throws IOException {
        Path jar = jarOf("Twice");
        Files.copy(jar, plugins.resolve("a jar.jar"));

        try (LogLines log = LogLines.atInfo();
                Consumers consumers = new Consumers(plugins)) {
            consumers.create("example.Twice");
            consumers.create("example.Twice");
            consumers.create(named(ClientConsumer.class));

            assertThat(log.lines()).hasSize(1);
            assertThat(log.text()).contains("class example.Twice from a jar.jar");
        }
    }
}
