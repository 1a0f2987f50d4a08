package dev.holdfast.cli;

/** What the process ends with; the same for every verb. */
final class ExitStatus {
    static final int DONE = 0;
    static final int FAILED = 1;
    static final int USED_WRONGLY = 2;

    private ExitStatus() {}
}
