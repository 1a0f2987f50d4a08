package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.JavaProcess;
import dev.holdfast.logging.Logs;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(90)
class ShutdownTest {
    /** Runs until a thread of it, as a consumer's may, calls for the end of all. */
    static final class Exiting {
        private Exiting() {}

        public static void main(String[] args) throws InterruptedException {
            Logs.configure(System.getenv());
            Shutdown.stopBy(() -> {});
            new Thread(() -> System.exit(0), "consumer-mine.1").start();
            Shutdown.await(() -> {});
        }
    }

    @Test
    void aConsumerThatCallsExitEndsTheProcessWithAStatusToStartItAgain() throws Exception {
        Process process = JavaProcess.of(Exiting.class).start();
        try {
            String log = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(process.waitFor()).isEqualTo(ExitStatus.FAILED);
            assertThat(log).contains("the thread consumer-mine.1 called System.exit");
        } finally {
            process.destroyForcibly();
        }
    }
}
