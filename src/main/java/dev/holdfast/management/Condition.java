package dev.holdfast.management;

import java.util.function.BooleanSupplier;

/**
 * Something the gateway needs in order to be sent pushes.
 *
 * @param name as shown, e.g. {@code storage}
 * @param holds whether it is so at the moment; asked on a worker thread
 */
public record Condition(String name, BooleanSupplier holds) {}
