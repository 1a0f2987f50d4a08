package dev.holdfast.build;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * What was built, and of what.
 *
 * @param version as in the POM; {@value #UNKNOWN} for classes that Maven did not build
 * @param commit the first twelve digits of Git's, with {@code -dirty} behind them where files were changed since;
 *     {@value #UNKNOWN} for a build outside a checkout
 */
public record BuildInfo(String version, String commit) {
    static final String UNKNOWN = "unknown";

    private static final BuildInfo OF_PROCESS = read();

    /** Of the classes that run. Read once: an overwritten jar has it no more. */
    public static BuildInfo ofProcess() {
        return OF_PROCESS;
    }

    private static BuildInfo read() {
        try (InputStream in = BuildInfo.class.getResourceAsStream("build.properties")) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return of(properties);
        } catch (IOException e) {
            throw new UncheckedIOException("build.properties, which is a part of the program, can't be read", e);
        }
    }

    static BuildInfo of(Properties properties) {
        String commit = properties.getProperty("commit", UNKNOWN);
        boolean changed = Boolean.parseBoolean(properties.getProperty("dirty"));
        return new BuildInfo(properties.getProperty("version", UNKNOWN), changed ? commit + "-dirty" : commit);
    }

    /** Such as {@code 1.2.0 (commit 0123456789ab)}. */
    @Override
    public String toString() {
        return version + " (commit " + commit + ")";
    }
}
