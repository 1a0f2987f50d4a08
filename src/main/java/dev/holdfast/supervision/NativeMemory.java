package dev.holdfast.supervision;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the JVM, its compilers above all, and RocksDB have from the C library. */
public final class NativeMemory {
    private static final Logger LOG = LoggerFactory.getLogger(NativeMemory.class);

    private NativeMemory() {}

    /**
     * Gives back to the system what is free of it: the C library keeps that for the process. Blocks for some 20 ms, in which a
     * collection of the heap would have to wait. A JVM that can't do it, or a C library, keeps it.
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
