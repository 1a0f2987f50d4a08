/**
 * The access token: exchanged from an authorization code, kept across restarts, renewed ahead of expiry, handed out on the
 * bus. Receiving pushes never depends on it. No secret leaves this package but the token itself, to who asks for it.
 */
@NullMarked
package dev.holdfast.token;

import org.jspecify.annotations.NullMarked;
