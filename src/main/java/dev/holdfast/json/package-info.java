/**
 * A walk over the bytes of a JSON text that looks at each once. Objects are made by Jackson; this is for what happens
 * to every push: is it JSON, and what are the values at a few places in it.
 */
@NullMarked
package dev.holdfast.json;

import org.jspecify.annotations.NullMarked;
