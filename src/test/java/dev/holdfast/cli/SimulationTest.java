package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.JavaProcess;
import dev.holdfast.simulator.Faults;
import dev.holdfast.simulator.Pace;
import dev.holdfast.simulator.PushSource;
import dev.holdfast.simulator.Script;
import dev.holdfast.simulator.Wire;
import java.net.URI;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(90)
class SimulationTest {
    /** A process whose summary can't be written, and which ends as the program does after a failure. */
    static final class Failing {
        private Failing() {}

        public static void main(String[] args) throws InterruptedException {
            PushSource source = new PushSource(Script.standard(), new byte[16], Clock.systemUTC(), 1);
            Wire nobody = Wire.to(URI.create("http://127.0.0.1:1"));
            try {
                new Simulation(source, nobody, Pace.count(1000, 1), Faults.none()).play(null, summary -> {
                    throw new IllegalStateException("no summary");
                });
            } catch (IllegalStateException e) {
                System.exit(ExitStatus.FAILED);
            }
        }
    }

    @Test
    void aProcessThatFailedBeforeItsSummaryEnds() throws Exception {
        Process process = JavaProcess.of(Failing.class)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(ExitStatus.FAILED);
        } finally {
            process.destroyForcibly();
        }
    }
}
