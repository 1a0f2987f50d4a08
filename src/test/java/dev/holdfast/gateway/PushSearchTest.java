package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A search of the journal that takes its time, or its pages. */
@Timeout(60)
final class PushSearchTest {
    private static final int PUSHES = 20;
    private static final int SEARCHES = 5;
    private static final int BETWEEN_MILLIS = 10;
    private static final int LARGE = 1 << 20;
    private static final int MORE_THAN_A_PAGE = 1_010;

    @TempDir
    private Path directory;

    @Test
    void whatIsListedFromSeveralPagesSaysHowFarAllOfThemHaveLooked() {
        try (GatewayUnderTest gateway =
                        GatewayUnderTest.start(new GatewaySettings().journal("set-aside: 0B"), directory);
                RawConnection connection = gateway.connect()) {
            for (int i = 0; i < MORE_THAN_A_PAGE; i++) {
                connection.send(GatewayUnderTest.signed(GatewayUnderTest.envelope("client.created", i)));
                assertThat(connection.answer().status()).isEqualTo(200);
            }

            Verb verb = Verb.run(
                    gateway, "pushes", "list", "--last", String.valueOf(2 * MORE_THAN_A_PAGE), "--output", "json");

            JsonObject listed = new JsonObject(verb.done());
            assertThat(listed.getJsonArray("pushes")).hasSize(MORE_THAN_A_PAGE);
            assertThat(listed.getJsonObject("searched").getInteger("count")).isEqualTo(MORE_THAN_A_PAGE);
            assertThat(listed.getJsonObject("searched").getInteger("seq")).isEqualTo(1);
        }
    }

    /** Between two collections it gets on. */
    private static boolean isDone(CompletableFuture<?> search) {
        try {
            search.get(BETWEEN_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    /** Vert.x ends the threads of an executor that nobody holds any more, and what runs on them with it. */
    @Test
    void isAnsweredWhateverTheCollectorDoesMeanwhile() {
        try (GatewayUnderTest gateway =
                GatewayUnderTest.start(new GatewaySettings().journal("set-aside: 0B"), directory)) {
            for (int i = 0; i < PUSHES; i++) {
                String body = GatewayUnderTest.envelope("client.created", i) + " ".repeat(LARGE);
                assertThat(gateway.push(body).status()).isEqualTo(200);
            }
            for (int i = 0; i < SEARCHES; i++) {
                CompletableFuture<HttpAnswer> search =
                        CompletableFuture.supplyAsync(() -> gateway.management("/api/v1/pushes?event=client.deleted"));
                while (!isDone(search)) {
                    System.gc();
                }
                HttpAnswer answer = search.join();
                assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            }
        }
    }
}
