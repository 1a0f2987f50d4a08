package dev.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionCommandTest {
    @TempDir
    Path directory;

    private static String script(String shell) {
        CommandLineRun run = CommandLineRun.of("completion", shell);
        assertThat(run.status()).as(run.err()).isZero();
        return run.out();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh"})
    void bashUnderstandsItsScriptAndThatForZsh(String shell) throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("script"), script(shell));

        Process bash = new ProcessBuilder("bash", "-n", file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(bash.getInputStream().readAllBytes(), UTF_8);

        assertThat(bash.waitFor()).as(said).isZero();
    }

    @Test
    void bashCompletesAVerb() throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("script"), script("bash"));

        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        ". " + file + " && COMP_WORDS=(holdfast dead-letters re)"
                                + " COMP_CWORD=2 && _complete_holdfast && echo ${COMPREPLY[@]}")
                .redirectErrorStream(true)
                .start();
        String said = new String(bash.getInputStream().readAllBytes(), UTF_8);

        assertThat(bash.waitFor()).as(said).isZero();
        assertThat(said.strip()).isEqualTo("retry");
    }

    @Test
    void fishIsToldVerbsOptionsAndTheirValues() {
        assertThat(script("fish").lines())
                .contains("complete -c holdfast -f")
                .anySatisfy(line -> assertThat(line)
                        .matches("complete -c holdfast -n 'not __fish_seen_subcommand_from run .*' -a tap -d '.*'"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("complete -c holdfast -n '__fish_seen_subcommand_from dead-letters; and not"
                                + " __fish_seen_subcommand_from ")
                        .contains(" -a retry -d '"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("complete -c holdfast -n '__fish_seen_subcommand_from tap; and true' -l output -x"
                                + " -a 'text json' -d '"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith(
                                "complete -c holdfast -n '__fish_seen_subcommand_from simulate; and true' -l fault -x"
                                        + " -a 'wrong-signature duplicate "))
                .anySatisfy(
                        line -> assertThat(line)
                                .startsWith(
                                        "complete -c holdfast -n '__fish_seen_subcommand_from run; and true' -s c -l config -r -F"))
                .allSatisfy(line -> assertThat(line.replace("\\'", "")
                                        .chars()
                                        .filter(c -> c == '\'')
                                        .count()
                                % 2)
                        .isZero());
    }

    @Test
    void anUnknownShellIsUsedWrongly() {
        CommandLineRun run = CommandLineRun.of("completion", "tcsh");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("bash, zsh, fish");
    }
}
