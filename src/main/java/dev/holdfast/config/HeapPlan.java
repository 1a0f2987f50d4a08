package dev.holdfast.config;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.holdfast.logging.Counted;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What may be in memory at once, compared with the memory that the process has: shares of the heap for what has no
 * setting of its own, and whether the settings fit.
 *
 * @param heap bytes that the heap may grow to ({@code -Xmx})
 * @param direct bytes of buffers beside the heap ({@code -XX:MaxDirectMemorySize}; as much as the heap unless it is
 *     set)
 */
public record HeapPlan(long heap, long direct) {
    private static final long MIB = 1024 * 1024;
    /** The program itself with its caches and metrics, measured on one at rest. */
    private static final long PROGRAM = 20 * MIB;
    /**
     * How many times its size an array may take: G1 gives one of half a region or more whole regions of its own, and a
     * region is at least a MiB.
     */
    private static final int LOST_BESIDE_ARRAYS = 2;
    /** What the network's buffers take, whatever the load. */
    private static final long NETWORK = 16 * MIB;
    /** Bytes that a consumer's lanes read from the journal at once. */
    private static final long READ_AT_ONCE = 2 * MIB;
    /**
     * Bodies beside those counted: one that is read ahead while there is no room, its copy as it grows, and one that
     * delivery reads.
     */
    private static final int BODIES_BESIDE = 3;
    /** Bodies in direct memory: the journal's copy of one, and one on its way to a file or a socket. */
    private static final int BODIES_IN_DIRECT = 2;

    /**
     * Determined once: with some collectors the figure changes, and settings derived from it would then seem to be
     * edited.
     */
    private static final HeapPlan OF_PROCESS = new HeapPlan(Runtime.getRuntime().maxMemory(), directMemory());

    /** Determined as Java does: the heap's size unless {@code -XX:MaxDirectMemorySize} is set. */
    private static long directMemory() {
        HotSpotDiagnosticMXBean virtualMachine = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        long set =
                Long.parseLong(virtualMachine.getVMOption("MaxDirectMemorySize").getValue());
        return set == 0 ? Runtime.getRuntime().maxMemory() : set;
    }

    /** The plan for this process. */
    public static HeapPlan ofProcess() {
        return OF_PROCESS;
    }

    /** Default of {@code receiver.max-in-flight}: an eighth of the heap, at most 128 MiB, at least one body. */
    long maxInFlight(long maxBody) {
        return Math.max(maxBody, share(8, 128 * MIB));
    }

    /** Bytes of committed pushes on their way from the journal to delivery. */
    public long handover() {
        return share(16, 48 * MIB);
    }

    /** Bytes of pushes that wait for one consumer in memory; as much again may be under way to it. */
    public long perConsumer() {
        return share(16, 16 * MIB);
    }

    /**
     * Lanes of one consumer that may wait for their next attempt: each takes up to 2 KiB for what is known of its
     * failures.
     */
    public int failedLanes() {
        return (int) Math.min(1 << 20, share(8, heap) / 2048);
    }

    /**
     * How many connections the receiver may have. Each takes a bit more than 16 KiB: a half-read request with a body of
     * that size.
     */
    public int connections() {
        return (int) Math.min(65_536, share(16, heap) / (16 * 1024));
    }

    /** Bytes that the streams of HTTP/2 may take, over all connections. */
    public long streams() {
        return share(16, heap);
    }

    /** Bytes of refused requests that wait for the quarantine's file. */
    private static long quarantine(HoldfastConfig config) {
        return QuarantineConfig.WAITING
                + Math.min(config.quarantine().maxBody(), config.receiver().maxBody());
    }

    private long share(int part, long most) {
        long bytes = Math.min(most, heap / part);
        return bytes < MIB ? bytes : bytes / MIB * MIB;
    }

    /** What may be held at once, in bytes, each with what it is for. */
    private record Need(long bytes, String what) {
        @Override
        public String toString() {
            return mebibytes(bytes) + " " + what;
        }
    }

    private List<Need> heapNeeds(HoldfastConfig config) {
        ReceiverConfig receiver = config.receiver();
        List<Need> needs = new ArrayList<>();
        needs.add(new Need(PROGRAM, "for the program"));
        needs.add(new Need(
                LOST_BESIDE_ARRAYS * receiver.maxInFlight(),
                "for receiver.max-in-flight, counted twice because large arrays waste room"));
        needs.add(
                new Need(BODIES_BESIDE * receiver.maxBody(), "for " + BODIES_BESIDE + " bodies of receiver.max-body"));
        needs.add(new Need(quarantine(config), "for the quarantine"));
        needs.add(new Need(handover() + share(16, heap), "for connections and what delivery takes over"));
        if (receiver.http2()) {
            needs.add(new Need(streams(), "for the streams of HTTP/2"));
        }
        int consumers = config.consumers().size();
        if (consumers > 0) {
            needs.add(new Need(consumers * ofConsumer(), "for delivery to consumers, " + consumers));
        }
        return needs;
    }

    private long ofConsumer() {
        return 2 * perConsumer() + READ_AT_ONCE;
    }

    /** What can be changed instead of the heap: how large bodies may be, unless all else is too much already. */
    private String remedy(HoldfastConfig config, long needed) {
        ReceiverConfig receiver = config.receiver();
        long bodies = LOST_BESIDE_ARRAYS * receiver.maxInFlight() + BODIES_BESIDE * receiver.maxBody();
        String lower = "lower receiver.max-in-flight or receiver.max-body";
        if (needed - bodies < heap || config.consumers().isEmpty()) {
            return lower;
        }
        long beside = needed - config.consumers().size() * ofConsumer();
        long fitting = (heap - beside) / ofConsumer();
        return fitting > 0 ? "have at most " + Counted.of(fitting, "consumer") : "have fewer consumers and " + lower;
    }

    /** Why the gateway would run out of memory under load with these settings; empty when it would not. */
    public Optional<String> complaint(HoldfastConfig config) {
        List<Need> needs = heapNeeds(config);
        long needed = sum(needs);
        if (needed > heap) {
            return Optional.of("memory: found a heap of " + mebibytes(heap) + ", expected at least " + mebibytes(needed)
                    + " ("
                    + String.join(", ", needs.stream().map(Need::toString).toList()) + "): set -Xmx"
                    + roomy(config, needed) + "m, or " + remedy(config, needed));
        }
        long buffers = NETWORK + BODIES_IN_DIRECT * config.receiver().maxBody();
        if (buffers > direct) {
            return Optional.of("memory: found " + mebibytes(direct) + " for direct buffers, expected at least "
                    + mebibytes(buffers) + " (" + new Need(NETWORK, "for the network") + ", "
                    + new Need(buffers - NETWORK, "for " + BODIES_IN_DIRECT + " bodies of receiver.max-body")
                    + "): set -XX:MaxDirectMemorySize=" + (buffers + MIB - 1) / MIB
                    + "m, or lower receiver.max-body");
        }
        return Optional.empty();
    }

    /**
     * Mebibytes of a heap that is large enough, allowing for the shares that grow with it, max-in-flight's default among them,
     * and for what collectors keep to themselves.
     */
    private long roomy(HoldfastConfig config, long needed) {
        long mebibytes = (needed * 3 / 2 + 16 * MIB - 1) / (16 * MIB) * 16;
        HeapPlan larger = new HeapPlan(mebibytes * MIB, direct);
        ReceiverConfig receiver = config.receiver();
        long inFlight = Math.max(0, larger.maxInFlight(receiver.maxBody()) - receiver.maxInFlight());
        long then = sum(larger.heapNeeds(config)) + LOST_BESIDE_ARRAYS * inFlight;
        return then > larger.heap * 15 / 16 ? roomy(config, then) : mebibytes;
    }

    private static long sum(List<Need> needs) {
        return needs.stream().mapToLong(Need::bytes).sum();
    }

    private static String mebibytes(long bytes) {
        return (bytes + MIB - 1) / MIB + "MiB";
    }
}
