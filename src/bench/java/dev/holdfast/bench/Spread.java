package dev.holdfast.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Median, least and greatest of what the rounds gave. */
record Spread(double median, double min, double max) {
    static <T> Spread of(List<T> rounds, ToDoubleFunction<T> figure) {
        return of(rounds.stream().mapToDouble(figure).toArray());
    }

    static Spread of(double[] figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /** Of {@code figure} in one server over the same in another, round by round. */
    static Spread ratio(List<Round> over, List<Round> under, ToDoubleFunction<Round> figure) {
        double[] ratios = new double[Math.min(over.size(), under.size())];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = figure.applyAsDouble(over.get(i)) / figure.applyAsDouble(under.get(i));
        }
        return of(ratios);
    }
}
