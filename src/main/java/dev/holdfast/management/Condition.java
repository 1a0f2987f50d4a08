package dev.holdfast.management;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
     * @param missing the required ones that don't hold, by name
     */
    record States(Map<String, Boolean> holds, Set<String> missing) {
        /** On a thread that may block. */
        static States of(List<Condition> conditions) {
            Map<String, Boolean> holds = new LinkedHashMap<>();
            Set<String> missing = new HashSet<>();
            for (Condition condition : conditions) {
                boolean held = condition.holds().getAsBoolean();
                holds.put(condition.name(), held);
                if (condition.required() && !held) {
                    missing.add(condition.name());
                }
            }
            return new States(holds, missing);
        }

        /** Whether every required one holds. */
        boolean ready() {
            return missing.isEmpty();
        }
    }
}
