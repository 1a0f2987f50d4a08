package dev.holdfast.management;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How it stood with readiness at one moment: each condition is asked once, so that what is said of them agrees.
 *
 * @param holds by name, in the order of the conditions
 * @param ready whether every required one holds
 */
record ConditionStates(Map<String, Boolean> holds, boolean ready) {
    /** On a thread that may block. */
    static ConditionStates of(List<Condition> conditions) {
        Map<String, Boolean> holds = new LinkedHashMap<>();
        conditions.forEach(
                condition -> holds.put(condition.name(), condition.holds().getAsBoolean()));
        boolean ready = conditions.stream().filter(Condition::required).allMatch(one -> holds.get(one.name()));
        return new ConditionStates(holds, ready);
    }
}
