package dev.holdfast.logging;

/** A number with the right form of its noun: {@code 1 attempt}, {@code 2 attempts}. Stateless. */
public final class Counted {
    private Counted() {}

    /**
     * A number of them.
     *
     * @param noun in the singular
     */
    public static String of(long count, String noun) {
        boolean hissing = noun.endsWith("sh") || noun.endsWith("s") || noun.endsWith("ch");
        String many =
                noun.endsWith("ry") ? noun.substring(0, noun.length() - 1) + "ies" : noun + (hissing ? "es" : "s");
        return count + " " + (count == 1 ? noun : many);
    }
}
