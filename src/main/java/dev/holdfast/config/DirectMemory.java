package dev.holdfast.config;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** How much memory beside the heap the process may take for buffers. */
final class DirectMemory {
    private DirectMemory() {}

    /** Bytes; as Java does it, the heap's size unless {@code -XX:MaxDirectMemorySize} is set. */
    static long limit() {
        HotSpotDiagnosticMXBean virtualMachine = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        long set =
                Long.parseLong(virtualMachine.getVMOption("MaxDirectMemorySize").getValue());
        return set == 0 ? Runtime.getRuntime().maxMemory() : set;
    }
}
