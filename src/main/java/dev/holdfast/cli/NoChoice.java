package dev.holdfast.cli;

import picocli.CommandLine.Command;

/** Nothing says which: a list of all. */
@Command
final class NoChoice implements Choice {
    @Override
    public RequestParameters fields() {
        return new RequestParameters();
    }
}
