/**
 * {@code holdfast.yaml} as records, and the loader that makes them or says by file, line and key what is wrong. No part
 * of the gateway is known here.
 */
@NullMarked
package dev.holdfast.config;

import org.jspecify.annotations.NullMarked;
