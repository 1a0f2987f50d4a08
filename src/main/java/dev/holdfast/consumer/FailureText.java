package dev.holdfast.consumer;

import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import io.vertx.core.VertxException;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * A failure in one line for people: the simple name of a class, and the message. The class is the nearest superclass
 * that people can look up, not a library's own variant; failures that are nothing but a message have no class name.
 */
public final class FailureText {
    /** Classes that say nothing beyond the message. {@code Future.failedFuture("...")} makes the latter. */
    private static final Set<Class<?>> SAYING_NOTHING = Set.of(Throwable.class, VertxException.class);

    /**
     * Longer than any line, and short enough for an event loop to look through. Some messages hold everything that a
     * server answered.
     */
    private static final int LONGEST = 1 << 14;

    private FailureText() {}

    /** The system call and error number that Netty's native transports put before the system's message. */
    private static final Pattern NATIVE =
            Pattern.compile("^\\w+\\(\\.\\.\\) failed(?: with error\\(-?\\d+\\))?: (?=.)");

    private static final Pattern REFUSED = Pattern.compile("^Connection refused: (?:[^/\\s]*/)?(\\S+)$");
    private static final Pattern IN_USE = Pattern.compile("^Address already in use\\b.*$");
    private static final Pattern NOT_OURS = Pattern.compile("^Cannot assign requested address\\b.*$");

    /**
     * The failure with its message. For a connection or port that can't be had, the system's message is used; for TLS,
     * that of the cause, which says more. With TLS 1.3 a server refuses a client's certificate only after the handshake, while
     * answers are decoded.
     */
    public static String of(Throwable failure) {
        if (failure instanceof SSLHandshakeException) {
            return ofHandshake(failure);
        }
        if (failure instanceof DecoderException && failure.getCause() instanceof SSLException refused) {
            return of(refused);
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
            if (NOT_OURS.matcher(plain).matches()) {
                return "this machine doesn't have the address";
            }
            message = plain;
        }
        return message == null || message.isBlank() ? bare(failure) : of(failure, message);
    }

    /** The cause's message: Vert.x itself only says that a handshake failed, and Java that a validity check did. */
    private static String ofHandshake(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateExpiredException || cause instanceof CertificateNotYetValidException) {
                return of(failure, of(cause));
            }
        }
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        String message = message(cause);
        String why = cause instanceof NotSslRecordException
                ? "the other side doesn't speak TLS"
                : cause instanceof ClosedChannelException ? "the other side closed the connection" : message;
        return of(failure, why == null ? bare(cause) : why);
    }

    /**
     * The beginning of a failure's message; null if it has none, or if asking for it throws. A class that can't be initialized has
     * none itself, and its cause says why.
     */
    public static @Nullable String message(Throwable failure) {
        try {
            String message = failure instanceof ExceptionInInitializerError && failure.getCause() != null
                    ? of(failure.getCause())
                    : failure.getMessage();
            return message == null || message.length() <= LONGEST ? message : message.substring(0, LONGEST);
        } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
            return null;
        }
    }

    /** The failure with another message in place of its own. */
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
