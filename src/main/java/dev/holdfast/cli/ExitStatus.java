package dev.holdfast.cli;

/** The exit statuses, the same for every verb. */
final class ExitStatus {
    static final int DONE = 0;
    static final int FAILED = 1;
    static final int USED_WRONGLY = 2;
    /** Nobody read the output to its end. The same status as a shell gives a process that SIGPIPE has ended. */
    static final int OUTPUT_GONE = 141;

    private ExitStatus() {}
}
