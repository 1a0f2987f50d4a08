/**
 * The command line: one class per verb. A verb reads its options and calls the part that does the work.
 */
@NullMarked
package dev.holdfast.cli;

import org.jspecify.annotations.NullMarked;
