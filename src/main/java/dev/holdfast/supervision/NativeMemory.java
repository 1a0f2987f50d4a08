package dev.holdfast.supervision;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Memory that the JVM (mostly its compilers) and RocksDB get from the C library. */
public final class NativeMemory {
    private static final Logger LOG = LoggerFactory.getLogger(NativeMemory.class);

    private NativeMemory() {}

    /**
     * Returns the C library's free memory to the system; otherwise the C library keeps it for the process. Blocks for
     * some 20 ms, and a garbage collection would wait for that. Does nothing if the JVM or the C library doesn't
     * support it.
     */
    public static void trim() {
        try {
            ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
            ManagementFactory.getPlatformMBeanServer().invoke(commands, "systemTrimNativeHeap", null, null);
        } catch (JMException e) {
            LOG.debug("free native memory is not given back: {}", e.toString());
        }
    }
}
