package dev.holdfast.cli;

import dev.holdfast.build.BuildInfo;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} shows. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"holdfast " + BuildInfo.ofProcess()};
    }
}
