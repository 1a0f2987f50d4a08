package dev.holdfast.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.simulator.TokenFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code src/site/markdown/token.md} says what is so. */
class TokenGuideTest {
    private static final Path GUIDE = Path.of("src/site/markdown/token.md");
    private static final Path EXAMPLE = Path.of("src/test/java/dev/holdfast/example/NotingConsumer.java");

    @Test
    void itsExampleIsTheOneThatIsCompiledAndRun() throws IOException {
        String source = Files.readString(EXAMPLE);

        assertThat(Files.readString(GUIDE))
                .contains(source.substring(source.indexOf("public class")).strip());
    }

    @Test
    void itNamesEveryStateFailureAndFault() throws IOException {
        String guide = Files.readString(GUIDE);

        assertThat(TokenState.values()).allSatisfy(state -> assertThat(guide).contains("| `" + state + "` |"));
        assertThat(FailureKind.values()).allSatisfy(kind -> assertThat(guide).contains("`" + kind + "`"));
        assertThat(TokenFault.values()).allSatisfy(fault -> assertThat(guide).contains("`" + fault + "`"));
    }
}
