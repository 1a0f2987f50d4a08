package dev.holdfast.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.Envelope;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Appends pushes to a journal and keeps what it answered. */
final class AppendResults {
    private static final long DEADLINE_SECONDS = 20;

    private final Journal journal;
    private final List<CompletableFuture<Stored>> all = new ArrayList<>();

    record Stored(long seq, boolean duplicate) {}

    AppendResults(Journal journal) {
        this.journal = journal;
    }

    static PushRecord push(String body) {
        return push("default", "sub_t_1600000000", body, 1_000);
    }

    static PushRecord push(String endpoint, String id, String body, long receivedAt) {
        return push(endpoint, id, body.getBytes(StandardCharsets.UTF_8), receivedAt);
    }

    static PushRecord push(String endpoint, String id, byte[] body, long receivedAt) {
        Envelope envelope = new Envelope(id, "client.created", "t", 1_600_000_000L, null);
        return new PushRecord(
                PushRecord.UNSTORED,
                endpoint,
                envelope,
                receivedAt,
                new RequestHead("00ff", "application/json", "", ""),
                body);
    }

    static String text(PushRecord push) {
        return new String(push.body(), StandardCharsets.UTF_8);
    }

    CompletableFuture<Stored> append(PushRecord push) {
        CompletableFuture<Stored> answer = new CompletableFuture<>();
        all.add(answer);
        journal.append(push, new Journal.Outcome() {
            @Override
            public void stored(long seq, boolean duplicate) {
                assertThat(answer.complete(new Stored(seq, duplicate))).isTrue();
            }

            @Override
            public void failed(JournalException cause) {
                assertThat(answer.completeExceptionally(cause)).isTrue();
            }
        });
        return answer;
    }

    Stored store(PushRecord push) {
        return within(append(push));
    }

    /** Stores {@code count} pushes whose bodies are the prefix and a number from 0. */
    void storeMany(String prefix, int count) {
        List<CompletableFuture<Stored>> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            answers.add(append(push(prefix + i)));
        }
        answers.forEach(AppendResults::within);
    }

    List<CompletableFuture<Stored>> all() {
        return all;
    }

    static <T> T within(Future<T> future) {
        try {
            return future.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }
}
