package dev.holdfast;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.Collections;
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
    private static final long DELAY_MILLIS = 10_000;
    private static final String SUFFIX = ".class";
    /**
     * What was seen to be missing in first pushes, scrapes, refusals, resets, time-outs, drains and failures in the log, of a
     * gateway that probes had asked for its readiness. Of the libraries mostly nested classes: one that overrides a method which
     * the JVM has inlined makes it compile the callers again, and whole packages cost seconds of that. Nothing of OpenTelemetry's:
     * who asks for traces uses it from the start.
     */
    private static final Predicate<String> NEEDED = Pattern.compile("("
                    + "dev/holdfast/(?!cli/|simulator/|tracing/Otel)(.*/)?"
                    + "|ch/qos/logback/classic/spi/"
                    + "|com/fasterxml/jackson/(annotation/|core/io/|databind/introspect/|databind/ser/std/[^/]*[$])"
                    + "|io/micrometer/(core/instrument/distribution|prometheusmetrics)/"
                    + "|io/netty/channel/(group|socket|unix)/"
                    + "|io/netty/(channel|util)/((epoll|concurrent)/)?[^/]*[$]"
                    + "|io/netty/handler/codec/DefaultHeaders[$]"
                    + "|io/netty/handler/codec/http/(Default|FullHttpRe|HttpConstants|HttpExpectation|QueryString)"
                    + "|io/netty/handler/codec/quic/QuicChannel"
                    + "|io/netty/handler/ssl/SslHandler"
                    + "|io/netty/handler/timeout/IdleState"
                    + "|io/netty/util/(ReferenceCountUtil|collection/IntObject|concurrent/PromiseCombiner)"
                    + "|io/prometheus/metrics/(expositionformats|model/snapshots)/"
                    + "|io/vertx/core/(impl/(deployment/|future/)?|(dns|file|net)/impl/)"
                    + "|io/vertx/core/(net|http)/impl/(http1/|tcp/)?[^/]*[$]"
                    + "|io/vertx/core/(eventbus/impl/(clustered/)?|json/(impl/)?|streams/impl/)"
                    + "|io/vertx/ext/web/impl/RoutingContext"
                    + "|org/slf4j/(event|spi)/"
                    + ")[^/]*" + SUFFIX)
            .asMatchPredicate();

    private static final Predicate<String> OF_HTTP2 = Pattern.compile(
                    "io/(netty/(channel/((Abstract)?Coalescing|Delegating)|handler/codec/http2/|util/collection/)|vertx/core/http/).*"
                            + SUFFIX)
            .asMatchPredicate();

    private ClassesAhead() {}

    /**
     * Has them loaded, when the first seconds are over: those belong to the pushes that a client has kept for this moment.
     *
     * @param http2 those of HTTP/2, too, which are as many as all others
     * @return the timer, to be cancelled before Vert.x closes
     */
    static long loadSoon(Vertx vertx, boolean http2) {
        return vertx.setTimer(
                DELAY_MILLIS, timer -> vertx.executeBlocking(() -> load(http2 ? NEEDED.or(OF_HTTP2) : NEEDED), false));
    }

    private static int load(Predicate<String> needed) {
        int loaded = 0;
        try (JarFile jar = new JarFile(System.getProperty("java.class.path"))) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                loaded += needed.test(entry.getName()) && isLoaded(entry.getName()) ? 1 : 0;
            }
            LOG.debug("{} classes are there if the jar is overwritten", loaded);
        } catch (IOException e) {
            LOG.debug("run from no jar: {}", e.toString());
        }
        return loaded;
    }

    private static boolean isLoaded(String entry) {
        String name = entry.substring(0, entry.length() - SUFFIX.length()).replace('/', '.');
        try {
            Class.forName(name, false, ClassesAhead.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            LOG.trace("for a library that is not there: {}", name);
            return false;
        }
    }
}
