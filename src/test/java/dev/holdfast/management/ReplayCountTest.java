package dev.holdfast.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.journal.PushPages;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a replay's dry run answers, of what a search found: for each push, how many consumers want it. */
class ReplayCountTest {
    @Test
    void aCountThatHadToEndIsToldToBeOfAPartAndOfWhich() {
        PushPages.Page<Long> page = new PushPages.Page<>(List.of(2L, 0L, 1L), 70, new PushPages.Place(931, 0), 930);

        assertThat(ReplayApi.show(page))
                .isEqualTo(new JsonObject("{\"pushes\":2,\"deliveries\":3,\"more\":true,"
                        + "\"searched\":{\"count\":70,\"seq\":931,\"receivedAt\":\"1970-01-01T00:00:00Z\"}}"));
    }

    @Test
    void aJournalWithoutPushesIsCountedWhole() {
        assertThat(ReplayApi.show(new PushPages.Page<>(List.of(), 0, null, 0)))
                .isEqualTo(new JsonObject("{\"pushes\":0,\"deliveries\":0,\"more\":false,\"searched\":{\"count\":0}}"));
    }
}
