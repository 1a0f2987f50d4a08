/**
 * The platform, played: signed pushes at a rate and with faults. Knows the interface and the signature scheme, and
 * nothing of the gateway: {@link PushSource} makes pushes, {@link Platform} sends them and counts the answers.
 */
@NullMarked
package dev.holdfast.simulator;

import org.jspecify.annotations.NullMarked;
