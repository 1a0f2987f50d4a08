package dev.holdfast.cli;

/** How a verb writes what it has found. */
enum OutputFormat {
    text,
    json
}
