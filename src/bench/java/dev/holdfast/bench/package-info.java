/**
 * The benchmark behind {@code mvn -Pbench verify}: Holdfast's {@code run} against a bare server and against the limit of
 * the machine, under one client. {@link dev.holdfast.bench.Benchmark} is the harness; {@code BareServer} and {@code
 * LimitServer} run in processes of their own. No test lives here, and nothing of this is in the product.
 */
@NullMarked
package dev.holdfast.bench;

import org.jspecify.annotations.NullMarked;
