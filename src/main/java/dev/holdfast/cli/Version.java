package dev.holdfast.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The version that the jar's manifest names; outside a jar there is none. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"holdfast " + Objects.requireNonNullElse(version, "development")};
    }
}
