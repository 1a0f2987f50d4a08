package dev.holdfast.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the guide gives to be pasted into a build is of today. */
class ConsumersGuideTest {
    @Test
    void theDependenciesShownHaveTheVersionsOfThisBuild() throws IOException {
        String pom = Files.readString(Path.of("pom.xml"));
        String own = first(pom, "<artifactId>holdfast</artifactId>\\s*<version>([^<]+)<");
        String guide = Files.readString(Path.of("src/site/markdown/consumers.md"));

        assertThat(guide).contains("-Dversion=" + own + " ");
        assertThat(first(guide, "<artifactId>holdfast</artifactId>\\s*<version>([^<]+)<"))
                .isEqualTo(own);
        assertThat(first(guide, "<artifactId>vertx-core</artifactId>\\s*<version>([^<]+)<"))
                .isEqualTo(first(pom, "<vertx.version>([^<]+)<"));
        assertThat(first(guide, "<artifactId>slf4j-api</artifactId>\\s*<version>([^<]+)<"))
                .isEqualTo(first(pom, "<slf4j.version>([^<]+)<"));
        assertThat(first(guide, "<artifactId>junit-jupiter</artifactId>\\s*<version>([^<]+)<"))
                .isEqualTo(first(pom, "<junit.version>([^<]+)<"));
        for (String plugin : List.of("maven-compiler-plugin", "maven-surefire-plugin")) {
            String version = "<artifactId>" + plugin + "</artifactId>\\s*<version>([^<]+)<";
            assertThat(first(guide, version)).isEqualTo(first(pom, version));
        }
    }

    private static String first(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(pattern).isTrue();
        return matcher.group(1);
    }
}
