package dev.holdfast.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What {@code /metrics} answered, read as Prometheus would. */
record Scrape(List<Series> series) {
    private static final Pattern LINE = Pattern.compile("([A-Za-z_:][A-Za-z0-9_:]*)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    record Series(String name, Map<String, String> labels, double value) {}

    static Scrape of(String text) {
        List<Series> series = new ArrayList<>();
        text.lines().filter(line -> !line.isEmpty() && !line.startsWith("#")).forEach(line -> series.add(read(line)));
        return new Scrape(series);
    }

    private static Series read(String line) {
        Matcher found = LINE.matcher(line);
        if (!found.matches()) {
            throw new AssertionError("found " + line + ", expected a line of Prometheus' text format");
        }
        String value = found.group(3);
        return new Series(found.group(1), labels(found.group(2)), number(value));
    }

    private static double number(String value) {
        return switch (value) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(value);
        };
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new TreeMap<>();
        Matcher label = LABEL.matcher(text == null ? "" : text);
        while (label.find()) {
            labels.put(label.group(1), label.group(2));
        }
        return labels;
    }

    /** Of those with that name and at least those labels, such as {@code name{label="value"}}. */
    double sum(String wanted) {
        int brace = wanted.indexOf('{');
        String name = brace < 0 ? wanted : wanted.substring(0, brace);
        Map<String, String> least = labels(brace < 0 ? "" : wanted.substring(brace));
        return series.stream()
                .filter(one -> one.name().equals(name))
                .filter(one -> one.labels().entrySet().containsAll(least.entrySet()))
                .mapToDouble(Series::value)
                .sum();
    }

    /** The labels that series of that name have; empty as well when there are none of them. */
    Set<String> labelsOf(String name) {
        return series.stream()
                .filter(one -> one.name().equals(name))
                .flatMap(one -> one.labels().keySet().stream())
                .collect(Collectors.toSet());
    }

    Set<String> names() {
        return series.stream().map(Series::name).collect(Collectors.toSet());
    }
}
