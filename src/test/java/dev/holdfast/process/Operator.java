package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Looks after a running gateway by its management port. */
final class Operator {
    private static final Set<String> UNDER_WAY = Set.of("running", "waiting");

    private final PushClient client = new PushClient();

    /** The positions of all dead letters. */
    Set<Long> deadLetters(Child gateway) throws IOException, InterruptedException {
        Set<Long> seqs = new TreeSet<>();
        String after = "";
        while (after != null) {
            JsonObject page = json(client.get(gateway.management("/api/v1/dead-letters?limit=1000" + after)));
            objects(page.getJsonArray("deadLetters")).forEach(letter -> seqs.add(letter.getLong("seq")));
            after = page.containsKey("next") ? "&cursor=" + page.getString("next") : null;
        }
        return seqs;
    }

    /** How many replays and retries are on their way: a gateway refuses more than a few. */
    long underWay(Child gateway) throws IOException, InterruptedException {
        JsonObject answer = json(client.get(gateway.management("/api/v1/replays")));
        return objects(answer.getJsonArray("replays")).stream()
                .filter(replay -> UNDER_WAY.contains(replay.getString("state")))
                .count();
    }

    void retryDeadLetters(Child gateway) throws IOException, InterruptedException {
        json(client.post(gateway.management("/api/v1/dead-letters/retry"), "{\"all\":true}"));
    }

    void replay(Child gateway, String consumer, String event, long to, int rate)
            throws IOException, InterruptedException {
        JsonObject which = new JsonObject()
                .put("consumer", consumer)
                .put("event", event)
                .put("to", to)
                .put("rate", rate);
        json(client.post(gateway.management("/api/v1/replays"), which.encode()));
    }

    /** The one consumer of the replay on its way, as far as it has come; there is at most one. */
    Optional<JsonObject> replay(Child gateway) throws IOException, InterruptedException {
        JsonObject answer = json(client.get(gateway.management("/api/v1/replays")));
        return objects(answer.getJsonArray("replays")).stream()
                .filter(replay -> replay.getString("of").equals("pushes"))
                .filter(replay -> UNDER_WAY.contains(replay.getString("state")))
                .map(replay -> replay.getJsonArray("consumers").getJsonObject(0))
                .findFirst();
    }

    /** Whether every consumer has saved a position behind the newest push. */
    boolean isPositionAtEnd(Child gateway) throws IOException, InterruptedException {
        JsonObject answer = json(client.get(gateway.management("/api/v1/consumers")));
        return objects(answer.getJsonArray("consumers")).stream()
                .allMatch(consumer -> consumer.getLong("handled") > 0 && consumer.getLong("lag") == 0);
    }

    /** The position of the newest push, once every consumer has come so far; 0 before that. */
    long settledAt(Child gateway) throws IOException, InterruptedException {
        JsonObject answer = json(client.get(gateway.management("/api/v1/consumers")));
        List<JsonObject> consumers = objects(answer.getJsonArray("consumers"));
        boolean settled = consumers.stream()
                .allMatch(consumer -> consumer.getLong("lag") == 0
                        && consumer.getLong("lanesBlocked") == 0
                        && consumer.getLong("lanesBackingOff") == 0);
        return settled ? consumers.get(0).getLong("handled") : 0;
    }

    private static JsonObject json(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private static List<JsonObject> objects(JsonArray array) {
        return array.stream().map(JsonObject.class::cast).toList();
    }
}
