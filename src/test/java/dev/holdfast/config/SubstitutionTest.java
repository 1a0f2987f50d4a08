package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubstitutionTest {
    private final Substitution substitution =
            new Substitution(Map.of("A", "one", "B_2", "two", "EMPTY", "", "ODD", "${A}$1\\"), new JudgedFiles());

    @TempDir
    Path directory;

    @Test
    void leavesTextWithoutExpressionsAlone() throws InvalidValue {
        assertThat(substitution.apply("a $A {b} $ \\ %")).isEqualTo("a $A {b} $ \\ %");
    }

    @Test
    void putsVariablesIntoLongerText() throws InvalidValue {
        assertThat(substitution.apply("<${A}-${B_2}>")).isEqualTo("<one-two>");
    }

    @Test
    void takesADefaultOnlyWhenTheVariableIsNotSet() throws InvalidValue {
        assertThat(substitution.apply("${NONE:x:y} ${A:x} ${NONE:}|${EMPTY:x}|"))
                .isEqualTo("x:y one ||");
    }

    @Test
    void doesNotLookAtWhatWasPutIn() throws InvalidValue {
        assertThat(substitution.apply("${ODD}")).isEqualTo("${A}$1\\");
    }

    @Test
    void dropsExactlyOneNewlineOfAFile() throws InvalidValue, IOException {
        assertThat(fromFile("s3cret")).isEqualTo("s3cret");
        assertThat(fromFile("s3cret\n")).isEqualTo("s3cret");
        assertThat(fromFile("s3cret\r\n")).isEqualTo("s3cret");
        assertThat(fromFile("s3cret\n\n")).isEqualTo("s3cret\n");
        assertThat(fromFile(" s3cret \t\n")).isEqualTo(" s3cret \t");
        assertThat(fromFile("s3cret\r")).isEqualTo("s3cret\r");
        assertThat(fromFile("\n")).isEmpty();
        assertThat(fromFile("\ufeffg\u00e4\u5bc6\ud83d\udd11")).isEqualTo("\ufeffg\u00e4\u5bc6\ud83d\udd11");
    }

    @Test
    void remembersEveryFile() throws InvalidValue, IOException {
        fromFile("x");

        assertThat(substitution.files().digests()).containsOnlyKeys(directory.resolve("value"));
    }

    private String fromFile(String content) throws InvalidValue, IOException {
        Path file = Files.writeString(directory.resolve("value"), content);
        return substitution.apply("${file:" + file + "}");
    }
}
