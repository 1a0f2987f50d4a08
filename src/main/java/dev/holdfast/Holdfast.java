package dev.holdfast;

import dev.holdfast.cli.CliEnvironment;
import dev.holdfast.cli.HoldfastCommand;
import dev.holdfast.logging.Logs;
import dev.holdfast.receiver.ConnectionLimit;
import dev.holdfast.store.NativeLibrary;
import dev.holdfast.supervision.Consumers;
import dev.holdfast.supervision.Watchdog;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The program's entry: the command line's root is {@link HoldfastCommand}. */
public final class Holdfast {
    private Holdfast() {}

    public static void main(String[] args) {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> Watchdog.uncaught(failure));
        String lacking = lackingModules();
        if (!lacking.isEmpty()) {
            System.err.println("holdfast: found a Java without " + lacking + ", expected one that has these modules");
            System.exit(1);
        }
        String complaint = Logs.complaint(System.getenv());
        if (!complaint.isEmpty()) {
            System.err.println("holdfast: " + complaint);
            System.exit(2);
        }
        if (args.length > 0 && args[0].equals("run")) {
            NativeLibrary.loadAhead();
        }
        Logs.configure(System.getenv());
        ConnectionLimit.prepare();
        // In TLS 1.2 a client could ask for handshakes on a connection it has, as many as it likes.
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
        withoutFlightRecorder();
        int status = HoldfastCommand.execute(CliEnvironment.ofProcess(), Gateway::start, Consumers::check, args);
        Logs.flush();
        System.exit(status);
    }

    /** What a Java made with {@code jlink} may lack; empty when it has all that is needed. */
    private static String lackingModules() {
        return Stream.of("jdk.management", "java.net.http")
                .filter(module -> ModuleLayer.boot().findModule(module).isEmpty())
                .collect(Collectors.joining(" and "));
    }

    /** Netty's events, unless they are asked for: to register them costs each event loop its first tens of milliseconds. */
    private static void withoutFlightRecorder() {
        String property = "io.netty.jfr.enabled";
        System.setProperty(property, System.getProperty(property, "false"));
    }
}
