package dev.holdfast.cli;

/** The options that say which of many are meant. */
interface Choice {
    /** As the API wants it. */
    RequestParameters fields();
}
