/**
 * The benchmarks. {@link dev.holdfast.bench.Benchmark}, behind {@code mvn -Pbench verify}, has Holdfast's {@code run}
 * against a bare server and against the limit of the machine, under one client; {@code BareServer} and {@code
 * LimitServer} run in processes of their own. {@link dev.holdfast.bench.DeliveryBenchmark} and {@link
 * dev.holdfast.bench.ForwarderBenchmark} are behind {@code mvn -Pbench-delivery verify}. No test lives here, and nothing
 * of this is in the product.
 */
@NullMarked
package dev.holdfast.bench;

import org.jspecify.annotations.NullMarked;
