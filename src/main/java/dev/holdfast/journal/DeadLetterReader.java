package dev.holdfast.journal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Reads dead letters back, past what is broken, which it reports. Stateless; any thread, inside {@link Store#reading}. */
final class DeadLetterReader {
    private static final long MAX_BYTES = 4L * 1024 * 1024;

    private final Losses losses;

    DeadLetterReader(Losses losses) {
        this.losses = losses;
    }

    /** From the given place on; an empty consumer is the first. */
    List<DeadLetter> read(Store store, String consumer, long seq, int max) throws RocksDBException {
        List<DeadLetter> found = new ArrayList<>();
        long bytes = 0;
        try (RocksIterator letters = store.scan(Family.DEAD_LETTERS)) {
            letters.seek(consumer.isEmpty() ? new byte[0] : DeadLetterForm.key(consumer, seq));
            while (letters.isValid() && found.size() < max && bytes < MAX_BYTES) {
                DeadLetter letter = decode(letters.key(), letters.value());
                if (letter != null) {
                    found.add(letter);
                    bytes += letter.push().body().length;
                }
                letters.next();
            }
            letters.status();
        }
        return found;
    }

    long count(Store store, String consumer) throws RocksDBException {
        byte[] first = DeadLetterForm.key(consumer, 0);
        long count = 0;
        try (RocksIterator letters = store.scan(Family.DEAD_LETTERS)) {
            for (letters.seek(first); letters.isValid() && isOf(letters.key(), first); letters.next()) {
                count++;
            }
            letters.status();
        }
        return count;
    }

    private static boolean isOf(byte[] key, byte[] first) {
        int prefix = first.length - Long.BYTES;
        return key.length == first.length && Arrays.equals(key, 0, prefix, first, 0, prefix);
    }

    private @Nullable DeadLetter decode(byte[] key, byte[] value) {
        try {
            return DeadLetterForm.decode(key, value);
        } catch (RuntimeException e) {
            // Whatever is wrong with the bytes: one letter must not hide the others.
            long seq = Store.number(Arrays.copyOfRange(key, Math.max(0, key.length - Long.BYTES), key.length));
            String consumer = new String(key, 0, Math.max(0, key.length - Long.BYTES - 1), StandardCharsets.US_ASCII);
            losses.broken(seq, "it is a dead letter of " + consumer + ": " + e.getMessage());
            return null;
        }
    }
}
