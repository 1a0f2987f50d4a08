/**
 * The access token: exchanged for an authorization code, kept across restarts, renewed ahead of expiry, handed out on
 * the bus. Receiving pushes never depends on it. The only secret that leaves this package is the token itself, for
 * whoever asks for it.
 */
@NullMarked
package dev.holdfast.token;

import org.jspecify.annotations.NullMarked;
