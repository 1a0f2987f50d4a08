package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.JavaProcess;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process whose standard output nobody reads, and which has written there more than a pipe takes. */
@Timeout(90)
class StalledOutputTest {
    /** Prints as a consumer may, and says so on standard error when it can no more. */
    static final class Printer {
        private static final AtomicLong PRINTED = new AtomicLong();

        private Printer() {}

        public static void main(String[] args) throws InterruptedException {
            Thread printing = new Thread(Printer::print);
            printing.setDaemon(true);
            printing.start();
            Shutdown.starting();
            long before;
            do {
                before = PRINTED.get();
                Thread.sleep(100);
            } while (before == 0 || PRINTED.get() != before);
            System.err.println("stuck");
            Thread.sleep(Long.MAX_VALUE);
        }

        private static void print() {
            while (true) {
                System.out.println("a push");
                PRINTED.incrementAndGet();
            }
        }
    }

    @Test
    void isEndedAllTheSame() throws Exception {
        Process printer = JavaProcess.of(Printer.class).start();
        try {
            assertThat(printer.getErrorStream().read()).isEqualTo('s');

            printer.toHandle().destroy();

            assertThat(printer.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(printer.exitValue()).isZero();
        } finally {
            printer.destroyForcibly();
        }
    }
}
