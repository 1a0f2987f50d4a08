package dev.holdfast.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The byte form of the ledger, in {@link ColumnFamily#STATE}. Numbers are big-endian.
 *
 * <pre>
 * a count    ledger/count/, day since the epoch (4 bytes), a zero byte, cause, a zero byte, endpoint, a zero byte, consumer,
 *            and where it is of one event a zero byte, event
 *            to the count and, where what it counts has positions, the lowest and the highest of them (8 bytes each)
 * a finding  ledger/found/, cause, a blank, what was found
 *            to nothing
 * a start    ledger/start/, its number (8 bytes)
 *            to at, downMillis (8 bytes each) and the name of lastStop
 * the mark   ledger/mark
 *            to when the gateway last was seen to accept pushes, and 1 if it was stopped since, else 0 (8 bytes each)
 * </pre>
 */
final class LedgerForm {
    static final byte[] COUNT = "ledger/count/".getBytes(UTF_8);
    static final byte[] FOUND = "ledger/found/".getBytes(UTF_8);
    static final byte[] START = "ledger/start/".getBytes(UTF_8);
    static final byte[] MARK = "ledger/mark".getBytes(UTF_8);

    private LedgerForm() {}

    /** @param day since the epoch, in UTC */
    record Key(int day, String cause, String endpoint, String consumer, String event) {
        LedgerCount with(Total total) {
            return new LedgerCount(
                    LocalDate.ofEpochDay(day),
                    cause,
                    endpoint,
                    consumer,
                    event,
                    total.count(),
                    total.firstSeq(),
                    total.lastSeq());
        }

        /** In words, as its hash: to link what Java makes for a record takes 40 ms, for which the first pushes would wait. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key
                    && key.day == day
                    && key.cause.equals(cause)
                    && key.endpoint.equals(endpoint)
                    && key.consumer.equals(consumer)
                    && key.event.equals(event);
        }

        @Override
        public int hashCode() {
            return Objects.hash(day, cause, endpoint, consumer, event);
        }
    }

    /** @param firstSeq 0, as the last one: they have no positions */
    record Total(long count, long firstSeq, long lastSeq) {
        static final Total NONE = new Total(0, 0, 0);

        Total plus(Total more) {
            boolean widens = more.firstSeq != 0 && (firstSeq == 0 || more.firstSeq < firstSeq);
            return new Total(count + more.count, widens ? more.firstSeq : firstSeq, Math.max(lastSeq, more.lastSeq));
        }
    }

    /** What all keys of a day begin with. */
    static byte[] day(int day) {
        return ByteBuffer.allocate(COUNT.length + Integer.BYTES + 1)
                .put(COUNT)
                .putInt(day)
                .array();
    }

    static int dayOf(byte[] key) {
        return ByteBuffer.wrap(key).getInt(COUNT.length);
    }

    static byte[] key(Key key) {
        byte[] day = day(key.day());
        String event = key.event().isEmpty() ? "" : '\0' + key.event();
        byte[] rest = (key.cause() + '\0' + key.endpoint() + '\0' + key.consumer() + event).getBytes(UTF_8);
        return ByteBuffer.allocate(day.length + rest.length).put(day).put(rest).array();
    }

    static Key key(byte[] key) {
        int at = COUNT.length + Integer.BYTES + 1;
        String[] parts = new String(key, at, key.length - at, UTF_8).split("\0", -1);
        return new Key(dayOf(key), parts[0], parts[1], parts[2], parts.length > 3 ? parts[3] : "");
    }

    static byte[] value(Total total) {
        return total.firstSeq() == 0
                ? StateKey.numbers(total.count())
                : StateKey.numbers(total.count(), total.firstSeq(), total.lastSeq());
    }

    static Total total(byte[] value) {
        return value.length < 3 * Long.BYTES
                ? new Total(StateKey.number(value, 0), 0, 0)
                : new Total(StateKey.number(value, 0), StateKey.number(value, 1), StateKey.number(value, 2));
    }

    static byte[] start(long number) {
        return StateKey.key(START, number);
    }

    static byte[] value(LedgerStart start) {
        byte[] lastStop = start.lastStop().name().getBytes(UTF_8);
        return ByteBuffer.allocate(2 * Long.BYTES + lastStop.length)
                .put(StateKey.numbers(start.at(), start.downMillis()))
                .put(lastStop)
                .array();
    }

    /** @throws RuntimeException when it is not what was written */
    static LedgerStart start(byte[] value) {
        int name = 2 * Long.BYTES;
        LedgerStart.LastStop lastStop =
                LedgerStart.LastStop.valueOf(new String(value, name, value.length - name, UTF_8));
        return new LedgerStart(StateKey.number(value, 0), StateKey.number(value, 1), lastStop);
    }
}
