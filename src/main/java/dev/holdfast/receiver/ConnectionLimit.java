package dev.holdfast.receiver;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many connections a port may have at once, so that descriptors are left for the journal and memory for pushes. Any
 * thread.
 */
public final class ConnectionLimit implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLimit.class);
    private static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);
    /** By port. Netty's hook is the process' own, so this is too. */
    private static final Map<Integer, ConnectionLimit> LIMITS = new ConcurrentHashMap<>();

    private final int port;
    private volatile int most;
    private final boolean probed;
    private final Counter reached;
    private volatile int open;
    private volatile @Nullable Channel listening;
    private long nextLine = System.nanoTime();

    private ConnectionLimit(int port, int most, boolean probed, MeterRegistry registry) {
        this.port = port;
        this.most = most;
        this.probed = probed;
        this.reached = Counter.builder("holdfast.connections.limit.reached")
                .description("How often a port had so many connections that it accepted no more for the time being")
                .tag("port", Integer.toString(port))
                .register(registry);
        Gauge.builder("holdfast.connections", this, limit -> limit.open)
                .description("Connections that a port has open")
                .tag("port", Integer.toString(port))
                .register(registry);
    }

    /** Makes limits possible: before the process opens its first port or makes its first connection, or they are not kept. */
    public static void prepare() {
        System.setProperty(ChannelInitializerExtension.EXTENSIONS_SYSTEM_PROPERTY, "serviceload");
    }

    /** Limits a port until it is closed. Of the connections there are already as many are accepted again as end. */
    public static ConnectionLimit on(int port, int most, MeterRegistry registry) {
        return put(new ConnectionLimit(port, most, false, registry));
    }

    /** The same of a port where probes come, which do not wait long: past the limit the longest TLS handshake is ended. */
    public static ConnectionLimit onProbed(int port, int most, MeterRegistry registry) {
        return put(new ConnectionLimit(port, most, true, registry));
    }

    private static ConnectionLimit put(ConnectionLimit limit) {
        LIMITS.put(limit.port, limit);
        return limit;
    }

    public int most() {
        return most;
    }

    /** So many from now on: of those beyond it as many are accepted again as end. */
    public void change(int connections) {
        most = connections;
        Channel known = listening;
        if (known != null) {
            // Where there are still too many, the next one that comes ends it again.
            known.config().setAutoRead(true);
        }
    }

    /** That of a port, or of the one that a connection came by; null: it has none. */
    static @Nullable ConnectionLimit of(Channel channel) {
        return channel.localAddress() instanceof InetSocketAddress address ? LIMITS.get(address.getPort()) : null;
    }

    /** Whether the longest handshake makes place for the newest connection. */
    boolean isProbed() {
        return probed;
    }

    /** Whether no more are accepted at the moment. */
    public boolean isReached() {
        return open >= most;
    }

    /** Runs something where connections are accepted; right here while none was. */
    public void onAcceptor(Runnable task) {
        Channel known = listening;
        if (known == null) {
            task.run();
        } else {
            known.eventLoop().execute(task);
        }
    }

    /** Whoever comes from now on is refused; connections stay open. Nothing before the first one came. */
    void closePort() {
        Channel known = listening;
        if (known != null) {
            known.close();
        }
    }

    /** Whether so many connections are as many as there may be. By the gate, which is one a port. */
    boolean found(int connections, Channel listener) {
        listening = listener;
        boolean before = isReached();
        open = connections;
        if (isReached() && !before) {
            reached.increment();
            if (System.nanoTime() - nextLine >= 0) {
                nextLine = System.nanoTime() + PERIOD_NANOS;
                LOG.warn("port {} has {} connections, and accepts more only as these end", port, most);
            }
        }
        return isReached();
    }

    @Override
    public void close() {
        LIMITS.remove(port, this);
    }
}
