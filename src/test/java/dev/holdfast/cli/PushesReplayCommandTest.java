package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Test;

class PushesReplayCommandTest {
    private static String counted(String answer) throws JsonProcessingException {
        return PushesReplayCommand.counted(new JsonMapper().readTree(answer));
    }

    @Test
    void aDryRunThatHadToEndSaysHowFarItCounted() throws JsonProcessingException {
        assertThat(counted("{\"pushes\":1,\"deliveries\":2,\"more\":false,\"searched\":{\"count\":1}}"))
                .isEqualTo("1 push, 2 deliveries");
        assertThat(counted("{\"pushes\":7,\"deliveries\":7,\"more\":true,"
                        + "\"searched\":{\"count\":9,\"seq\":12,\"receivedAt\":\"2026-01-31T10:00:00.000Z\"}}"))
                .isEqualTo("at least 7 pushes, 7 deliveries: counted back to push 12, received"
                        + " 2026-01-31T10:00:00.000Z");
    }
}
