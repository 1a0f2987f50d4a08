package dev.holdfast.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SIGHUP, which ends a Java process unless it is handled. Where it is ignored already, as under {@code nohup}, it stays so;
 * where it can't be handled ({@code -Xrs}, or a system without it) it does what it does by itself.
 */
final class HangUp {
    private static final Logger LOG = LoggerFactory.getLogger(HangUp.class);

    private HangUp() {}

    /** From now on {@code task} is run for each, by a thread of the signal's own: it should only begin something. */
    static void handle(Runnable task) {
        try {
            // By name: the compiler warns of these classes, which every JDK has, and can't be told not to.
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
