package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What is said of a verb that failed. */
class FailureReportTest {
    @Command(name = "holdfast")
    static final class Large {
        @Command
        int list() {
            return new long[Integer.MAX_VALUE].length;
        }
    }

    @Test
    void aListThatIsLargerThanTheMemoryIsSaidInWordsOfTheUsers() {
        StringWriter err = new StringWriter();
        int status = new CommandLine(new Large())
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler(new FailureReport())
                .execute("list");

        assertThat(status).isEqualTo(1);
        assertThat(err.toString())
                .isEqualToIgnoringNewLines("holdfast: found more than fits into a heap of "
                        + Runtime.getRuntime().maxMemory() / 1024 / 1024
                        + "MiB, expected less: ask for fewer at once, or set java -Xmx");
    }
}
