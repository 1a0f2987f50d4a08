package dev.holdfast.simulator;

import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;

/** Letters and digits at random, so that no compression on the way flatters the figures by much. */
final class Padding {
    private static final byte[] ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".getBytes(StandardCharsets.US_ASCII);
    private static final int LENGTH = 1 << 16;

    private final byte[] text = new byte[LENGTH];
    private final RandomGenerator random;

    Padding(RandomGenerator random) {
        this.random = random;
        for (int i = 0; i < LENGTH; i++) {
            text[i] = ALPHABET[random.nextInt(ALPHABET.length)];
        }
    }

    /** Fills {@code bytes} from index {@code from} up to {@code to}, exclusive. */
    void fill(byte[] bytes, int from, int to) {
        int source = random.nextInt(LENGTH);
        int at = from;
        while (at < to) {
            int length = Math.min(to - at, LENGTH - source);
            System.arraycopy(text, source, bytes, at, length);
            at += length;
            source = 0;
        }
    }
}
