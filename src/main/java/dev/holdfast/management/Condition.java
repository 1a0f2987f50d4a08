package dev.holdfast.management;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Something that readiness looks at.
 *
 * @param name as shown, e.g. {@code storage}
 * @param required whether the gateway should get no pushes while it doesn't hold; otherwise it is shown only
 * @param holds whether it holds at the moment; asked on a worker thread
 */
public record Condition(String name, boolean required, BooleanSupplier holds) {
    /**
     * The state of readiness at one moment. Each condition is asked once, so that everything said about them agrees.
     *
     * @param holds by name, in the order of the conditions
     * @param ready whether every required one holds
     */
    record States(Map<String, Boolean> holds, boolean ready) {
        /** On a thread that may block. */
        static States of(List<Condition> conditions) {
            Map<String, Boolean> holds = new LinkedHashMap<>();
            conditions.forEach(
                    condition -> holds.put(condition.name(), condition.holds().getAsBoolean()));
            boolean ready = conditions.stream().filter(Condition::required).allMatch(one -> holds.get(one.name()));
            return new States(holds, ready);
        }
    }
}
