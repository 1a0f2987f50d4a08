package dev.holdfast.delivery;

import dev.holdfast.push.EventPattern;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which events a consumer subscribed to. Any thread. */
final class Patterns {
    /** Events come from outside: what is remembered of them is bounded. */
    private static final int REMEMBERED = 1024;

    private final List<EventPattern> patterns;
    private final Map<String, Boolean> known = new ConcurrentHashMap<>();

    Patterns(List<String> patterns) {
        this.patterns = patterns.stream().map(EventPattern::new).toList();
    }

    boolean match(String event) {
        Boolean answer = known.get(event);
        if (answer == null) {
            answer = patterns.stream().anyMatch(pattern -> pattern.subscribes(event));
            if (known.size() >= REMEMBERED) {
                known.clear();
            }
            known.put(event, answer);
        }
        return answer;
    }
}
