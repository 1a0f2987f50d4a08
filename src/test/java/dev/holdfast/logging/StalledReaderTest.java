package dev.holdfast.logging;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.JavaProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Processes that log more than whoever reads their standard error takes. */
@Timeout(120)
class StalledReaderTest {
    /** Of such lines much more than may wait. */
    private static final int MANY = 20_000;
    /** Of them fewer than may wait. */
    private static final int FEW = 3_000;

    private static final Pattern LINE = Pattern.compile("(?:line (\\d+)|(\\d+) lines? (?:was|were) dropped.*)$");

    @TempDir
    private Path directory;

    /** Logs so many lines, says so on standard output, and if it is answered, on standard input, logs a last one. */
    static final class Talker {
        private static final Logger LOG = LoggerFactory.getLogger(Talker.class);

        private Talker() {}

        public static void main(String[] args) throws IOException {
            Logs.configure(System.getenv());
            IntStream.range(0, Integer.parseInt(args[0])).forEach(i -> LOG.info("line {}", i));
            System.out.print("logged");
            System.out.flush();
            if (System.in.read() >= 0) {
                Logs.flush();
                Logs.last("the last one\n".getBytes(StandardCharsets.US_ASCII));
            }
            Logs.flush();
            System.exit(0);
        }
    }

    private Process talker(int lines, String format) throws IOException {
        ProcessBuilder builder = JavaProcess.of(Talker.class, Integer.toString(lines))
                .redirectOutput(directory.resolve("out").toFile());
        builder.environment().put("HOLDFAST_LOG_FORMAT", format);
        return builder.start();
    }

    private void awaitAllLogged() {
        eventually(() -> assertThat(directory.resolve("out")).hasContent("logged"));
    }

    @Test
    void whoeverLogsNeverWaitsAndWhatIsMissingIsCountedInItsPlace() throws Exception {
        Process talker = talker(MANY, "text");
        try {
            awaitAllLogged();

            talker.getOutputStream().write('\n');
            talker.getOutputStream().flush();
            List<String> lines = lines(talker);

            assertThat(talker.waitFor()).isZero();
            assertThat(lines.get(lines.size() - 1)).isEqualTo("the last one");
            assertThat(lines).anyMatch(line -> line.contains(" WARN  ConsoleAppender: "));
            int next = 0;
            for (String line : lines.subList(0, lines.size() - 1)) {
                Matcher matcher = LINE.matcher(line);
                assertThat(matcher.find()).as(line).isTrue();
                if (matcher.group(1) == null) {
                    next += Integer.parseInt(matcher.group(2));
                } else {
                    assertThat(Integer.parseInt(matcher.group(1))).isEqualTo(next++);
                }
            }
            assertThat(next).isEqualTo(MANY);
        } finally {
            talker.destroyForcibly();
        }
    }

    @Test
    void aNormalEndLosesNothing() throws Exception {
        Process talker = talker(FEW, "json");
        try {
            talker.getOutputStream().close();
            List<String> lines = lines(talker);

            assertThat(talker.waitFor()).isZero();
            assertThat(lines).hasSize(FEW);
            IntStream.range(0, FEW).forEach(i -> assertThat(lines.get(i)).contains("\"message\":\"line " + i + "\""));
        } finally {
            talker.destroyForcibly();
        }
    }

    @Test
    void aReaderThatNeverReadsAgainDoesNotKeepTheProcess() throws Exception {
        Process talker = talker(MANY, "text");
        try {
            awaitAllLogged();

            talker.getOutputStream().close();

            eventually(() -> assertThat(talker.isAlive()).isFalse());
            assertThat(talker.exitValue()).isZero();
        } finally {
            talker.destroyForcibly();
        }
    }

    private static List<String> lines(Process talker) throws IOException {
        return new String(talker.getErrorStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }
}
