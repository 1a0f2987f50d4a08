package dev.holdfast.consumer;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Makes consumers by name: the shipped ones, and the integrator's own from jars. */
public final class Consumers {
    private static final Map<String, Supplier<PushConsumer>> SHIPPED =
            Map.of("log", LogConsumer::new, "http", HttpConsumer::new, "file", FileConsumer::new);

    private final ClassLoader loader;
    private final String searched;

    /**
     * @param plugins directory with jars; need not exist
     * @throws IOException when it exists and can't be read
     */
    public Consumers(Path plugins) throws IOException {
        List<Path> jars = jars(plugins);
        ClassLoader own = Consumers.class.getClassLoader();
        this.loader = jars.isEmpty() ? own : new URLClassLoader("plugins", urls(jars), own);
        this.searched = jars.isEmpty()
                ? "the gateway itself; there is no jar in " + plugins + "/"
                : "the gateway itself and " + jars;
    }

    /**
     * A new consumer.
     *
     * @param verticle short name of a shipped one, or class name
     * @throws IllegalArgumentException when there is none, saying what was looked for and where
     */
    public PushConsumer create(String verticle) {
        Supplier<PushConsumer> shipped = SHIPPED.get(verticle);
        return shipped != null ? shipped.get() : load(verticle);
    }

    private PushConsumer load(String className) {
        try {
            Class<?> found = Class.forName(className, true, loader);
            if (!PushConsumer.class.isAssignableFrom(found)) {
                throw new IllegalArgumentException(
                        "found class " + className + ", expected one that extends " + PushConsumer.class.getName());
            }
            return (PushConsumer) found.getConstructor().newInstance();
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    "found no class " + className + " (looked in " + searched + "), expected a class name or one of "
                            + new TreeSet<>(SHIPPED.keySet()),
                    e);
        } catch (NoSuchMethodException | IllegalAccessException e) {
            throw new IllegalArgumentException(
                    "class " + className + " is not public or has no public constructor without parameters", e);
        } catch (InstantiationException e) {
            throw new IllegalArgumentException("class " + className + " is abstract", e);
        } catch (InvocationTargetException | ExceptionInInitializerError e) {
            throw new IllegalArgumentException("class " + className + " can't be made: " + e.getCause(), e);
        } catch (LinkageError e) {
            throw new IllegalArgumentException("class " + className + " can't be loaded: " + e, e);
        }
    }

    private static List<Path> jars(Path plugins) throws IOException {
        if (!Files.isDirectory(plugins)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(plugins)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    private static URL[] urls(List<Path> jars) throws MalformedURLException {
        URL[] urls = new URL[jars.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = jars.get(i).toUri().toURL();
        }
        return urls;
    }
}
