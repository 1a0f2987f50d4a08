package dev.holdfast.supervision;

import dev.holdfast.config.ConsumerCheck;
import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.config.EndpointConfig;
import dev.holdfast.consumer.LogConsumer;
import dev.holdfast.consumer.PushConsumer;
import dev.holdfast.consumer.file.FileConsumer;
import dev.holdfast.consumer.http.HttpConsumer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes consumers by name: the shipped ones, and the integrator's own from jars, which stay open until it is closed. */
public final class Consumers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Consumers.class);
    private static final Map<String, Supplier<PushConsumer>> SHIPPED =
            Map.of("log", LogConsumer::new, "http", HttpConsumer::new, "file", FileConsumer::new);

    /** Loader of the plugins; without any jars it only asks the gateway's own. */
    private final URLClassLoader plugins;

    private final String searched;
    /** Why a jar can't be read, by its path. */
    private final Map<Path, String> unreadable = new TreeMap<>();
    /** Classes of plugins whose jar has been logged. */
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /**
     * @param plugins directory with jars; need not exist
     * @throws IOException when it exists and can't be read
     */
    public Consumers(Path plugins) throws IOException {
        List<Path> jars = jars(plugins);
        URL[] urls = new URL[jars.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = jars.get(i).toUri().toURL();
        }
        this.plugins = new URLClassLoader("plugins", urls, Consumers.class.getClassLoader());
        jars.forEach(this::open);
        this.searched = jars.isEmpty()
                ? "the gateway itself; there was no jar in " + plugins
                        + "/ as this process started, and jars are read only then"
                : "the gateway itself and " + jars.stream().map(this::described).toList()
                        + ", read as this process started, and only then";
    }

    /**
     * Opens a jar to find out whether it can be read: a class loader silently skips one that can't, and doesn't name the one whose
     * manifest is no good.
     */
    private void open(Path jar) {
        if (Files.isDirectory(jar)) {
            return;
        }
        try (JarFile opened = new JarFile(jar.toFile())) {
            opened.getManifest();
        } catch (IOException e) {
            unreadable.put(jar, e.toString());
        }
    }

    private String described(Path jar) {
        String cause = unreadable.get(jar);
        return cause == null ? jar.toString() : jar + " (which can't be read: " + cause + ")";
    }

    /** Warns of jars that can't be read. Consumers that don't need them start all the same. */
    public void warnOfUnreadable() {
        unreadable.forEach((jar, cause) -> LOG.warn("{} is passed over: it can't be read: {}", jar, cause));
    }

    /**
     * A new consumer.
     *
     * @param verticle short name of a shipped one, or class name
     * @throws IllegalArgumentException when there is none, saying what was looked for and where
     * @throws IllegalStateException when its constructor throws
     */
    public PushConsumer create(String verticle) {
        Supplier<PushConsumer> shipped = SHIPPED.get(verticle);
        return shipped != null ? shipped.get() : load(verticle);
    }

    /** See {@link ConsumerCheck}: as far as that goes without running any of the consumer's code. */
    public static void check(
            ConsumerConfig config, List<EndpointConfig> endpoints, Path plugins, Consumer<Path> files) {
        switch (config.verticle()) {
            case "http" ->
                HttpConsumer.check(
                        config,
                        endpoints.stream().map(EndpointConfig::signatureHeader).toList(),
                        files);
            case "file" -> FileConsumer.check(config);
            default -> {
                try (Consumers consumers = new Consumers(plugins)) {
                    consumers.require(config.verticle());
                } catch (IOException e) {
                    throw new UncheckedIOException(plugins + " can't be read", e);
                }
            }
        }
    }

    /**
     * Looks for a class, and runs none of its code.
     *
     * @throws IllegalArgumentException when there is none, saying what was looked for and where
     */
    void require(String verticle) {
        if (!SHIPPED.containsKey(verticle)) {
            constructor(verticle);
        }
    }

    /** Closes the jars; consumers made from them can't load any further class. */
    @Override
    public void close() throws IOException {
        plugins.close();
    }

    private PushConsumer load(String className) {
        try {
            Constructor<?> constructor = constructor(className);
            tell(constructor.getDeclaringClass());
            return make(constructor);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("class " + className + " can't be made: " + e.getCause(), e);
        } catch (ExceptionInInitializerError e) {
            throw new IllegalArgumentException("class " + className + " can't be made: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw unreachable(className, e);
        } catch (LinkageError e) {
            throw unloadable(className, e);
        }
    }

    /**
     * Makes a consumer with the plugins' class loader as the thread's: its constructor and static initializers may look
     * there for something in its jar, such as a JDBC driver.
     */
    private PushConsumer make(Constructor<?> constructor) throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(plugins);
        try {
            return (PushConsumer) constructor.newInstance();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Logs which jar a class is from: of two jars with the same class the first one counts. */
    private void tell(Class<?> found) {
        CodeSource source = found.getProtectionDomain().getCodeSource();
        if (source != null && found.getClassLoader() == plugins && told.add(found.getName())) {
            Path jar = Path.of(URI.create(source.getLocation().toString()));
            LOG.info("class {} from {}", found.getName(), jar.getFileName());
        }
    }

    /** The public constructor of a class, which is loaded but not initialized. */
    private Constructor<?> constructor(String className) {
        try {
            Class<?> found = Class.forName(className, false, plugins);
            if (!PushConsumer.class.isAssignableFrom(found)) {
                throw new IllegalArgumentException(
                        "found class " + className + ", expected one that extends " + PushConsumer.class.getName());
            }
            Constructor<?> constructor = found.getConstructor();
            if (Modifier.isAbstract(found.getModifiers())) {
                throw new IllegalArgumentException("class " + className + " is abstract");
            }
            if (!Modifier.isPublic(found.getModifiers())) {
                throw unreachable(className, null);
            }
            return constructor;
        } catch (ClassNotFoundException e) {
            if (e.getCause() != null) {
                throw unloadable(className, e.getCause());
            }
            throw new IllegalArgumentException(
                    "found no class " + className + " (looked in " + searched + "), expected a class name or one of "
                            + new TreeSet<>(SHIPPED.keySet()),
                    e);
        } catch (NoSuchMethodException e) {
            throw unreachable(className, e);
        } catch (LinkageError | SecurityException e) {
            // The latter is thrown if the jar is signed and its signature doesn't match its content.
            throw unloadable(className, e);
        }
    }

    private static IllegalArgumentException unreachable(String className, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "class " + className + " is not public or has no public constructor without parameters", cause);
    }

    private static IllegalArgumentException unloadable(String className, Throwable cause) {
        return new IllegalArgumentException("class " + className + " can't be loaded: " + cause, cause);
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
}
