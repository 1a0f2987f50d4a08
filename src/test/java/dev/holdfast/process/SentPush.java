package dev.holdfast.process;

/**
 * A push that a client sent, and what came back.
 *
 * @param due {@link System#nanoTime()} at which it was to be sent
 * @param status of the answer; 0 when none came
 */
record SentPush(BodyDigest digest, long due, int status) {
    boolean acknowledged() {
        return status == 200;
    }
}
