package dev.holdfast.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class BuildInfoTest {
    @Test
    void saysTheVersionAndTheCommit() {
        assertThat(of(Map.of("version", "1.2.0", "commit", "0123456789ab", "dirty", "false")))
                .hasToString("1.2.0 (commit 0123456789ab)");
    }

    @Test
    void saysThatFilesWereChangedSinceTheCommit() {
        assertThat(of(Map.of("version", "1.2.0", "commit", "0123456789ab", "dirty", "true")))
                .isEqualTo(new BuildInfo("1.2.0", "0123456789ab-dirty"));
    }

    @Test
    void isUnknownOutsideACheckoutAndWithoutMaven() {
        assertThat(of(Map.of("version", "1.2.0", "commit", "unknown", "dirty", "false")))
                .isEqualTo(new BuildInfo("1.2.0", "unknown"));
        assertThat(of(Map.of())).isEqualTo(new BuildInfo("unknown", "unknown"));
    }

    /** Whoever builds: no placeholder is left. */
    @Test
    void ofTheseClassesIsFilledIn() {
        assertThat(BuildInfo.ofProcess().toString()).doesNotContain("${");
    }

    private static BuildInfo of(Map<String, String> values) {
        Properties properties = new Properties();
        properties.putAll(values);
        return BuildInfo.of(properties);
    }
}
