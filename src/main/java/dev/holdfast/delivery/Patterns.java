package dev.holdfast.delivery;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which events a consumer subscribed to: {@code conversation.created}, {@code conversation.*} or {@code *}. */
final class Patterns {
    /** Events come from outside: what is remembered of them is bounded. */
    private static final int REMEMBERED = 1024;

    private final List<String> patterns;
    private final Map<String, Boolean> known = new HashMap<>();

    Patterns(List<String> patterns) {
        this.patterns = List.copyOf(patterns);
    }

    boolean match(String event) {
        Boolean answer = known.get(event);
        if (answer == null) {
            answer = patterns.stream().anyMatch(pattern -> matches(pattern, event));
            if (known.size() >= REMEMBERED) {
                known.clear();
            }
            known.put(event, answer);
        }
        return answer;
    }

    private static boolean matches(String pattern, String event) {
        return pattern.endsWith("*")
                ? event.startsWith(pattern.substring(0, pattern.length() - 1))
                : event.equals(pattern);
    }
}
