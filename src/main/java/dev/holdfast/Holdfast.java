package dev.holdfast;

import dev.holdfast.cli.HoldfastCommand;

/** The program's entry: the command line's root is {@link HoldfastCommand}. */
public final class Holdfast {
    private Holdfast() {}

    public static void main(String[] args) {
        System.exit(HoldfastCommand.execute(Gateway::start, args));
    }
}
