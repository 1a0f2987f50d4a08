package dev.holdfast.consumer;

import io.netty.handler.ssl.NotSslRecordException;
import io.vertx.core.VertxException;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * A failure in one line for people: its message behind the simple name of the nearest class that they can look up, which a
 * library's own variants and the failures that are nothing but a message are not.
 */
public final class FailureText {
    /** What {@code Future.failedFuture("...")} makes is the latter. */
    private static final Set<Class<?>> SAYING_NOTHING = Set.of(Throwable.class, VertxException.class);

    /** No line is so long, and an event loop can look through it. Some messages hold all that a server answered. */
    private static final int LONGEST = 1 << 14;

    private FailureText() {}

    /** The call and the number of an error that Netty's native transports put before the system's words. */
    private static final Pattern NATIVE =
            Pattern.compile("^\\w+\\(\\.\\.\\) failed(?: with error\\(-?\\d+\\))?: (?=.)");

    private static final Pattern REFUSED = Pattern.compile("^Connection refused: (?:[^/\\s]*/)?(\\S+)$");
    private static final Pattern IN_USE = Pattern.compile("^Address already in use\\b.*$");

    /** With the message as it is, but for the system's where a connection or a port can't be had, and TLS's, whose cause says more. */
    public static String of(Throwable failure) {
        if (failure instanceof SSLHandshakeException) {
            return ofHandshake(failure);
        }
        String message = message(failure);
        if (message != null && failure instanceof IOException) {
            String plain = NATIVE.matcher(message).replaceFirst("");
            Matcher refused = REFUSED.matcher(plain);
            if (refused.matches()) {
                return "connection refused by " + refused.group(1);
            }
            if (IN_USE.matcher(plain).matches()) {
                return "the port is in use already";
            }
            message = plain;
        }
        return message == null || message.isBlank() ? bare(failure) : of(failure, message);
    }

    /** Vert.x says of each that it failed; why, its cause does. */
    private static String ofHandshake(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        String message = message(cause);
        String why = cause instanceof NotSslRecordException
                ? "the other side doesn't speak TLS"
                : cause instanceof ClosedChannelException ? "the other side closed the connection" : message;
        return of(failure, why == null ? bare(cause) : why);
    }

    /** The beginning of a failure's message; null: it has none, or fails to tell it. */
    public static @Nullable String message(Throwable failure) {
        try {
            String message = failure.getMessage();
            return message == null || message.length() <= LONGEST ? message : message.substring(0, LONGEST);
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            return null;
        }
    }

    /** With another message in the place of its own. */
    public static String of(Throwable failure, String message) {
        Class<?> type = known(failure);
        return SAYING_NOTHING.contains(type) ? message : type.getSimpleName() + ": " + message;
    }

    private static String bare(Throwable failure) {
        Class<?> type = known(failure);
        return (SAYING_NOTHING.contains(type) ? failure.getClass() : type).getSimpleName();
    }

    private static Class<?> known(Throwable failure) {
        Class<?> type = failure.getClass();
        while (type != Throwable.class && !isKnown(type)) {
            type = type.getSuperclass();
        }
        return type;
    }

    private static boolean isKnown(Class<?> type) {
        List<String> rooms = Arrays.asList(type.getPackageName().split("\\."));
        return Modifier.isPublic(type.getModifiers()) && !rooms.contains("impl") && !rooms.contains("internal");
    }
}
