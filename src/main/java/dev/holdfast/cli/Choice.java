package dev.holdfast.cli;

/** The options that say which of many are meant. */
interface Choice {
    /** As the API wants it. */
    RequestParameters fields();

    /** Their names, for whoever has to give one and gives none; empty: nobody has to. */
    default String options() {
        return "";
    }
}
