package dev.holdfast;

import java.io.IOException;
import java.util.function.Predicate;
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
    /**
     * What was seen to be missing, and what is used beside it: refusals, resets, time-outs, the drain, failures in the log. Nothing of
     * OpenTelemetry's: who asks for traces uses it from the start.
     */
    private static final Predicate<String> NEEDED = Pattern.compile("("
                    + "dev/holdfast/(?!cli/|simulator/|tracing/Otel)(.*/)?"
                    + "|ch/qos/logback/classic/spi/"
                    + "|io/netty/channel/((epoll|group|socket|unix)/)?"
                    + "|io/netty/handler/codec/http/(Default|Full)"
                    + "|io/netty/handler/codec/quic/QuicChannel"
                    + "|io/netty/util/collection/IntObject"
                    + "|io/netty/util/concurrent/"
                    + "|io/vertx/core/(dns|file)/impl/"
                    + "|io/vertx/core/http/impl/http1/"
                    + "|io/vertx/core/impl/(.*/)?"
                    + "|io/vertx/core/net/impl/(tcp/)?"
                    + ")[^/]*" + SUFFIX)
            .asMatchPredicate();

    private static final Predicate<String> OF_HTTP2 = Pattern.compile(
                    "io/(netty/handler/codec/http2|vertx/core/http)/.*" + SUFFIX)
            .asMatchPredicate();

    private ClassesAhead() {}

    /**
     * Begins to load them, in a thread of its own.
     *
     * @param http2 those of HTTP/2, too, which are as many as all others
     */
    static void load(boolean http2) {
        Thread thread = new Thread(() -> loadAll(http2 ? NEEDED.or(OF_HTTP2) : NEEDED), "classes");
        thread.setDaemon(true);
        thread.start();
    }

    private static void loadAll(Predicate<String> needed) {
        try (JarFile jar = new JarFile(System.getProperty("java.class.path"))) {
            jar.stream().map(JarEntry::getName).filter(needed).forEach(ClassesAhead::load);
            LOG.debug("no class is missing now if the jar is overwritten");
        } catch (IOException e) {
            LOG.debug("run from no jar: {}", e.toString());
        }
    }

    private static void load(String entry) {
        String name = entry.substring(0, entry.length() - SUFFIX.length()).replace('/', '.');
        try {
            Class.forName(name, false, ClassesAhead.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            LOG.trace("for a library that is not there: {}", name);
        }
    }
}
