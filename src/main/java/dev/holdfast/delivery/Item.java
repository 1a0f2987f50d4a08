package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;

/** A push on its way to one consumer. */
final class Item {
    private final PushRecord push;
    private int failedAttempts;
    private boolean handled;

    Item(PushRecord push) {
        this.push = push;
    }

    PushRecord push() {
        return push;
    }

    /** Counts a failed attempt and returns how many there were. */
    int failed() {
        return ++failedAttempts;
    }

    /** Which attempt the next one is, from 1. */
    int nextAttempt() {
        return failedAttempts + 1;
    }

    void handled() {
        handled = true;
    }

    boolean isHandled() {
        return handled;
    }
}
