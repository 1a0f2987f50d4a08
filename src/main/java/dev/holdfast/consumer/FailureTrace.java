package dev.holdfast.consumer;

/** Where a failure and its causes were thrown, without their messages, which may quote a push. Stateless. */
public final class FailureTrace {
    private static final int MOST_CAUSES = 16;

    private FailureTrace() {}

    /** The stack trace, on several lines. */
    public static String of(Throwable failure) {
        StringBuilder trace = new StringBuilder();
        Throwable thrown = failure;
        for (int i = 0; thrown != null && i < MOST_CAUSES; i++) {
            trace.append(i == 0 ? "" : "\ncaused by ").append(thrown.getClass().getName());
            for (StackTraceElement frame : thrown.getStackTrace()) {
                trace.append("\n\tat ").append(frame);
            }
            thrown = thrown.getCause();
        }
        return trace.toString();
    }
}
