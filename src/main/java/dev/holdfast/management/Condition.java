package dev.holdfast.management;

import java.util.function.BooleanSupplier;

/**
 * Something that readiness looks at.
 *
 * @param name as shown, e.g. {@code storage}
 * @param required whether the gateway isn't to be sent pushes where it doesn't hold; otherwise it is shown only
 * @param holds whether it is so at the moment; asked on a worker thread
 */
public record Condition(String name, boolean required, BooleanSupplier holds) {
    /** One that the gateway needs in order to be sent pushes. */
    public Condition(String name, BooleanSupplier holds) {
        this(name, true, holds);
    }
}
