package dev.holdfast.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SIGHUP, which ends a Java process unless it is handled. If it is ignored already, as under {@code nohup}, it stays
 * ignored. If it can't be handled ({@code -Xrs}, or a system without it), it keeps its ordinary effect.
 */
final class HangUp {
    private static final Logger LOG = LoggerFactory.getLogger(HangUp.class);

    private HangUp() {}

    /**
     * Runs {@code task} at each SIGHUP from now on, on a thread of the signal's own: it should only begin something.
     */
    static void handle(Runnable task) {
        try {
            // By reflection: every JDK has these classes, but the compiler warns of them, and that can't be switched
            // off.
            Class<?> handlers = Class.forName("sun.misc.SignalHandler");
            Class<?> signals = Class.forName("sun.misc.Signal");
            Object handler = Proxy.newProxyInstance(
                    HangUp.class.getClassLoader(), new Class<?>[] {handlers}, (proxy, method, arguments) -> {
                        task.run();
                        return null;
                    });
            signals.getMethod("handle", signals, handlers)
                    .invoke(null, signals.getConstructor(String.class).newInstance("HUP"), handler);
        } catch (InvocationTargetException e) {
            LOG.info("SIGHUP can't be handled here: {}", String.valueOf(e.getCause()));
        } catch (ReflectiveOperationException e) {
            LOG.info("SIGHUP can't be handled here: {}", e.toString());
        }
    }
}
