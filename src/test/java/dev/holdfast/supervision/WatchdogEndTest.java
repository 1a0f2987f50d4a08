package dev.holdfast.supervision;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.logging.Logs;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Processes that end because an event loop has died. */
@Timeout(120)
class WatchdogEndTest {
    @TempDir
    private Path directory;

    /** Logs as Holdfast does, to a reader that reads. */
    static final class Heard {
        private Heard() {}

        public static void main(String[] args) throws InterruptedException {
            Logs.configure(System.getenv());
            Watchdog.over(List.of(Heard::die), () -> 0);
            Thread.sleep(Long.MAX_VALUE);
        }

        private static void die(Runnable task) {
            throw new RejectedExecutionException();
        }
    }

    /** Logs as the tests do, by an appender that waits for its reader, until it can no more: then its event loop dies. */
    static final class Unheard {
        private static final Logger LOG = LoggerFactory.getLogger(Unheard.class);
        private static final AtomicLong LOGGED = new AtomicLong();
        private static final AtomicLong SEEN = new AtomicLong();

        private Unheard() {}

        public static void main(String[] args) {
            Watchdog.over(List.of(Unheard::dieWhenStuck), () -> 0);
            while (true) {
                LOG.info("line {}", LOGGED.incrementAndGet());
            }
        }

        private static void dieWhenStuck(Runnable task) {
            long logged = LOGGED.get();
            if (logged > 0 && SEEN.getAndSet(logged) == logged) {
                throw new RejectedExecutionException();
            }
            task.run();
        }
    }

    private Process start(Class<?> program, Redirect err) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName())
                .redirectError(err);
        builder.environment().put("HOLDFAST_LOG_LEVEL", "info");
        return builder.start();
    }

    private static void awaitEnd(Process process) {
        try {
            eventually(() -> assertThat(process.isAlive()).isFalse());
            assertThat(process.exitValue()).isEqualTo(Watchdog.STATUS);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void theLogSaysWhy() throws Exception {
        Path log = directory.resolve("err");

        awaitEnd(start(Heard.class, Redirect.to(log.toFile())));

        assertThat(log)
                .content()
                .contains("an event loop has died: the process ends with status 3, to be started again");
    }

    @Test
    void aLogThatNobodyReadsKeepsNoneAlive() throws Exception {
        awaitEnd(start(Unheard.class, Redirect.PIPE));
    }
}
