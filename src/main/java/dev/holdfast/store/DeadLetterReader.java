package dev.holdfast.store;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads dead letters back, one or a page. Any thread. */
final class DeadLetterReader {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterReader.class);
    private static final long MAX_BYTES = 4L * 1024 * 1024;

    private final StoreAccess access;
    private final StoreMeters meters;
    /** Keys of letters whose bytes are wrong, each told once. */
    private final Set<ByteBuffer> broken = ConcurrentHashMap.newKeySet();

    DeadLetterReader(StoreAccess access, StoreMeters meters) {
        this.access = access;
        this.meters = meters;
    }

    List<DeadLetter> list(String consumer, long seq, int max) {
        byte[] from = DeadLetterForm.key(consumer, seq);
        return page(max, database -> database.scan(ColumnFamily.DEAD_LETTERS, DeadLetterForm.prefix(consumer), from));
    }

    List<Long> positions(String consumer, long seq) {
        byte[] from = DeadLetterForm.key(consumer, seq);
        return access.reading(
                database -> database.scan(ColumnFamily.DEAD_LETTERS, DeadLetterForm.prefix(consumer), from)
                        .list(Integer.MAX_VALUE, Scan::number));
    }

    Optional<DeadLetter> get(String consumer, long seq) {
        byte[] key = DeadLetterForm.key(consumer, seq);
        return access.reading(database -> {
            byte[] value = database.get(ColumnFamily.DEAD_LETTERS, key);
            return value == null ? Optional.empty() : Optional.ofNullable(decode(key, value));
        });
    }

    List<DeadLetter> newest(String consumer, long seq, int max) {
        byte[] from = DeadLetterForm.key(consumer, seq);
        return page(
                max,
                database -> database.scanBackwards(ColumnFamily.DEAD_LETTERS, DeadLetterForm.prefix(consumer), from));
    }

    private List<DeadLetter> page(int max, Function<Database, Scan> begun) {
        return access.reading(database -> {
            List<DeadLetter> found = new ArrayList<>();
            long bytes = 0;
            try (Scan letters = begun.apply(database)) {
                while (found.size() < max && bytes < MAX_BYTES && letters.next()) {
                    DeadLetter letter = decode(letters.key(), letters.value());
                    if (letter != null) {
                        found.add(letter);
                        bytes += letter.push().body().length;
                    }
                }
            }
            return found;
        });
    }

    long oldestAt(String consumer) {
        byte[] prefix = DeadLetterForm.prefix(consumer);
        return access.reading(database ->
                database.scan(ColumnFamily.DEAD_LETTERS_BY_TIME, prefix).first(Scan::number, DeadLetters.NEVER));
    }

    /** Null when its bytes are wrong, which is told once. */
    @Nullable
    DeadLetter decode(byte[] key, byte[] value) {
        try {
            return DeadLetterForm.decode(key, value);
        } catch (RuntimeException e) {
            // Whatever is wrong with the bytes: one letter must not hide the others.
            if (broken.add(ByteBuffer.wrap(key))) {
                String consumer = DeadLetterForm.consumer(key);
                long seq = DeadLetterForm.seq(key);
                meters.corrupt.increment();
                LOG.atError()
                        .addKeyValue("consumer", consumer)
                        .addKeyValue("seq", seq)
                        .log("the dead letter {} of {} can't be read back: {}", seq, consumer, e.getMessage());
            }
            return null;
        }
    }
}
