package dev.holdfast;

import java.io.IOException;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Classes that receiving and draining need at some time, loaded before that: Java reads a class from the jar when it is first
 * used, and a jar that a deploy has overwritten by then has none.
 */
final class ClassesAhead {
    private static final Logger LOG = LoggerFactory.getLogger(ClassesAhead.class);
    private static final String SUFFIX = ".class";
    private static final List<String> NEEDED = List.of(
            "dev/holdfast/",
            "ch/qos/logback/classic/spi/",
            "io/netty/channel/",
            "io/netty/handler/codec/http/Default",
            "io/netty/handler/codec/http/Full",
            "io/netty/handler/codec/http2/",
            "io/netty/handler/codec/quic/QuicChannel",
            "io/netty/util/collection/IntObject",
            "io/netty/util/concurrent/",
            "io/vertx/core/dns/impl/",
            "io/vertx/core/file/impl/",
            "io/vertx/core/http/",
            "io/vertx/core/impl/",
            "io/vertx/core/net/impl/");

    /** With it comes a class of OpenTelemetry, of which there is nothing where nobody asked for traces. */
    private static final String UNASKED = "dev/holdfast/tracing/Otel";

    private ClassesAhead() {}

    /** Begins to load them, in a thread of its own. */
    static void load() {
        Thread thread = new Thread(ClassesAhead::loadAll, "classes");
        thread.setDaemon(true);
        thread.start();
    }

    private static void loadAll() {
        try (JarFile jar = new JarFile(System.getProperty("java.class.path"))) {
            jar.stream()
                    .map(JarEntry::getName)
                    .filter(NEEDED.asMatchPredicate())
                    .forEach(ClassesAhead::load);
            LOG.debug("no class is missing now if the jar is overwritten");
        } catch (IOException e) {
            LOG.debug("run from no jar: {}", e.toString());
        }
    }

    private static boolean isNeeded(String entry) {
        return entry.endsWith(SUFFIX)
                && !entry.startsWith(UNASKED)
                && NEEDED.stream().anyMatch(entry::startsWith);
    }

    private static void load(String entry) {
        String name = entry.substring(0, entry.length() - ".class".length()).replace('/', '.');
        try {
            Class.forName(name, false, ClassesAhead.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            LOG.trace("for a library that is not there: {}", name);
        }
    }
}
