package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The consumer that the guide shows, and its test, have all they need in what the guide's build declares. */
final class ConsumersGuideIT {
    private static final Pattern DECLARED =
            Pattern.compile("(vertx-core-|netty-|jackson-core-|slf4j-api-|junit-|opentest4j-|apiguardian-).*");

    @TempDir
    Path classes;

    @Test
    void theConsumerShownPassesTheTestShownWithTheApiJar() throws Exception {
        String classPath = String.join(File.pathSeparator, declared().toList()) + File.pathSeparator + classes;
        PluginJar.compile("example.Mirror", shown("Mirror"), classPath, classes);
        PluginJar.compile("example.MirrorTest", shown("MirrorTest"), classPath, classes);

        List<String> run;
        try (URLClassLoader loader = new URLClassLoader(urls(classPath), ClassLoader.getPlatformClassLoader())) {
            run = run(loader.loadClass("example.MirrorTest"));
        }

        assertThat(run).hasSize(2);
    }

    /** Its driver is found as it starts. */
    @Test
    void theConsumerShownForADatabaseIsCompiledWithTheApiJar() throws Exception {
        String classPath = String.join(File.pathSeparator, declared().toList());

        PluginJar.compile("example.Rows", shown("Rows"), classPath, classes);

        assertThat(classes.resolve("example/Rows.class")).exists();
    }

    /** Jars that the guide's build has: the api jar, and of the class path of this test what is declared there. */
    private static Stream<String> declared() {
        Stream<String> others = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> DECLARED.matcher(Path.of(entry).getFileName().toString())
                        .matches());
        return Stream.concat(
                Stream.of(Installation.jar().resolveSibling("holdfast-api.jar").toString()), others);
    }

    private static URL[] urls(String classPath) throws MalformedURLException {
        String[] entries = classPath.split(File.pathSeparator);
        URL[] urls = new URL[entries.length];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = Path.of(entries[i]).toUri().toURL();
        }
        return urls;
    }

    private static String shown(String className) throws Exception {
        String guide = Files.readString(Path.of("src/site/markdown/consumers.md"));
        return Arrays.stream(guide.split("```"))
                .filter(block ->
                        block.startsWith("java\npackage example;") && block.contains("class " + className + " "))
                .map(block -> block.substring("java\n".length()))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> run(Class<?> test) throws ReflectiveOperationException {
        List<Method> methods = Arrays.stream(test.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .toList();
        for (Method method : methods) {
            Constructor<?> constructor = test.getDeclaredConstructor();
            constructor.setAccessible(true);
            method.setAccessible(true);
            method.invoke(constructor.newInstance());
        }
        return methods.stream().map(Method::getName).toList();
    }
}
