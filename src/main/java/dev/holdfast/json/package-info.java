/**
 * A walk over the bytes of a JSON text that looks at each once. What is to become an object is Jackson's; here is what happens to
 * every push: is it JSON, and what stands at a few places of it.
 */
@NullMarked
package dev.holdfast.json;

import org.jspecify.annotations.NullMarked;
