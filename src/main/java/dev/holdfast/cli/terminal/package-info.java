/**
 * How a verb's output looks: tables, facts, colours and progress, as wide as the terminal; in a pipe plain and uncut. Knows the forms
 * in which people read values of the API, and no verb.
 */
@NullMarked
package dev.holdfast.cli.terminal;

import org.jspecify.annotations.NullMarked;
