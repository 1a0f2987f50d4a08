package dev.holdfast.delivery;

/**
 * What a consumer did with a push.
 *
 * @param number as the push told it
 * @param replay which replay it came in, from 1; 0: none
 */
record Attempt(long seq, int number, int replay, boolean handled) {}
