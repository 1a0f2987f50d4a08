package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.cli.terminal.Progress;
import java.io.IOException;
import java.time.Duration;
import java.util.StringJoiner;

/** Waits for a replay's end, and tells how far it has come. */
final class FollowedReplay {
    private static final Duration INTERVAL = Duration.ofMillis(500);

    private final ManagementClient client;
    private final Progress progress;

    FollowedReplay(ManagementClient client, Progress progress) {
        this.client = client;
        this.progress = progress;
    }

    /**
     * Waits for the end of the replay, and returns its last state.
     *
     * @throws IOException when it can't be found out what became of it
     */
    JsonNode await(String id) throws IOException, InterruptedException {
        try {
            while (true) {
                JsonNode replay = find(client.get("/replays", "replays"), id);
                String state = replay.path("state").asText();
                if (state.equals("done") || state.equals("stopped")) {
                    return replay;
                }
                progress.show(line(replay));
                Thread.sleep(INTERVAL.toMillis());
            }
        } finally {
            progress.end();
        }
    }

    /** Whether it came to its end, and nothing failed. */
    static boolean isSuccess(JsonNode ended) {
        return ended.path("state").asText().equals("done")
                && ended.path("failed").asLong() == 0;
    }

    private JsonNode find(JsonNode all, String id) throws IOException {
        for (JsonNode replay : all.get("replays")) {
            if (replay.path("id").asText().equals(id)) {
                return replay;
            }
        }
        throw new IOException("found no replay " + id + " at " + client.address() + ", expected what became of it");
    }

    /**
     * How far it has come, and for which consumers it waits: their part goes on when they are back. Dead letters lie here and there
     * among the positions, so that the position says nothing of how many of them are done.
     */
    static String line(JsonNode replay) {
        StringJoiner awaited = new StringJoiner(", ", " for ", "").setEmptyValue("");
        replay.path("awaited").forEach(consumer -> awaited.add(consumer.asText()));
        boolean retry = replay.path("of").asText().equals("dead-letters");
        return (retry ? "retry " : "replay ")
                + replay.path("id").asText() + " is " + replay.path("state").asText() + awaited
                + (retry ? "" : ", " + percent(replay) + " %") + ": "
                + replay.path("delivered").asLong() + " delivered, "
                + replay.path("failed").asLong() + " failed";
    }

    private static long percent(JsonNode replay) {
        long from = replay.path("from").asLong();
        long to = replay.path("to").asLong();
        long next = to + 1;
        for (JsonNode consumer : replay.path("consumers")) {
            next = consumer.path("done").asBoolean()
                    ? next
                    : Math.min(next, consumer.path("next").asLong());
        }
        return to < from ? 100 : Math.max(0, Math.min(100, (next - from) * 100 / (to - from + 1)));
    }
}
