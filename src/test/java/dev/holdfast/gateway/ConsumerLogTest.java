package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who looks for a consumer in the log by its field finds all that is said of it. */
@Timeout(60)
class ConsumerLogTest {
    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();

    private GatewaySettings settings(String... more) {
        return new GatewaySettings().consumer("mine", "*", deliveries, more);
    }

    @Test
    void whatIsSaidOfAConsumerHasItsNameForAField() {
        try (LogLines log = LogLines.atInfo()) {
            try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory)) {
                gateway.manage("/api/v1/consumers/mine/pause", "{}");
                gateway.manage("/api/v1/consumers/mine/resume", "{}");
                gateway.reconfigure(settings("concurrency: 2"), directory);
                gateway.reconfigure(new GatewaySettings().consumer("other", "*", deliveries), directory);
            }

            List<String> said = log.lines().stream()
                    .filter(line -> line.contains("dev.holdfast.delivery") || line.contains("dev.holdfast.supervision"))
                    .filter(line -> line.contains("mine"))
                    .toList();
            for (String word : List.of("new, starts", "is paused", "is resumed", "restarting", "stopping")) {
                assertThat(said).as(word).anyMatch(line -> line.contains(word));
            }
            assertThat(said).allMatch(line -> line.endsWith(" consumer=mine"));
        }
    }
}
