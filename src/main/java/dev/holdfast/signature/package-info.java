/**
 * The platform's signature: its scheme, and the secrets that are live at a moment. Plain Java: no HTTP and no Vert.x.
 */
@NullMarked
package dev.holdfast.signature;

import org.jspecify.annotations.NullMarked;
