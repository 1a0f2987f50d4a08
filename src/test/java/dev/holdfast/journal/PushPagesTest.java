package dev.holdfast.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.journal.PushPages.Budget;
import dev.holdfast.journal.PushPages.Order;
import dev.holdfast.journal.PushPages.Page;
import dev.holdfast.push.Envelope;
import dev.holdfast.push.PushFilter;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PushPagesTest {
    private static final long HOUR = 3_600_000;
    private static final long BEGIN = 1_700_000_000_000L;

    @TempDir
    Path directory;

    private @Nullable LogJournal journal;
    private final List<PushRecord> kept = new ArrayList<>();

    private LogJournal journal() {
        if (journal == null) {
            journal = new LogUnderTest(directory).withSegmentsOf(16 << 10).open();
        }
        return journal;
    }

    @AfterEach
    void close() {
        journal().close();
    }

    private static PushRecord push(String endpoint, String enterprise, String event, long receivedAt, String body) {
        return new PushRecord(
                PushRecord.UNSTORED,
                endpoint,
                new Envelope("sub_" + enterprise, event, enterprise, null, null),
                receivedAt,
                new RequestHead("", "", "", ""),
                body.getBytes(StandardCharsets.UTF_8));
    }

    private void store(PushRecord push) {
        AppendResults answers = new AppendResults(journal());
        kept.add(push.at(answers.store(push).seq()));
    }

    /** One a minute, so that a segment takes an hour and a quarter or so; every tenth is large. */
    private void storeMany(int count) {
        AppendResults answers = new AppendResults(journal());
        List<PushRecord> pushes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            PushRecord push = push(
                    i % 3 == 0 ? "a" : "b",
                    "t" + i % 5,
                    i % 2 == 0 ? "client.created" : "conversation.closed",
                    BEGIN + i * HOUR / 60,
                    "body " + i + " ".repeat(i % 10 == 0 ? 2_000 : 20));
            boolean late = i % 97 == 96;
            pushes.add(late ? lateBy(push, (i % 7) * HOUR) : push);
        }
        // A group is never divided between segments.
        for (int i = 0; i < count; i += 50) {
            List<PushRecord> group = pushes.subList(i, Math.min(count, i + 50));
            List<CompletableFuture<AppendResults.Stored>> stored =
                    group.stream().map(answers::append).toList();
            for (int n = 0; n < group.size(); n++) {
                kept.add(group.get(n).at(AppendResults.within(stored.get(n)).seq()));
            }
        }
    }

    private static PushRecord lateBy(PushRecord push, long millis) {
        return push(
                        push.endpoint(),
                        push.envelope().enterpriseToken(),
                        push.envelope().event(),
                        push.receivedAt() - millis,
                        new String(push.body(), StandardCharsets.UTF_8))
                .lateAt(push.receivedAt());
    }

    private PushPages pages() {
        return new PushPages(journal());
    }

    private static Page<Long> page(PushPages pages, PushFilter filter, Order order, long at, int max) {
        return pages.page(filter, order, at, max, PushRecord::seq);
    }

    private static List<Long> all(PushPages pages, PushFilter filter, Order order, int max) {
        List<Long> found = new ArrayList<>();
        long at = 0;
        do {
            Page<Long> page = page(pages, filter, order, at, max);
            found.addAll(page.pushes());
            at = page.next();
        } while (at > 0);
        return found;
    }

    private List<Long> expected(PushFilter filter, Order order) {
        Comparator<Long> ascending = Comparator.naturalOrder();
        return kept.stream()
                .filter(filter::matches)
                .map(PushRecord::seq)
                .sorted(order == Order.OLDEST ? ascending : ascending.reversed())
                .toList();
    }

    @Test
    void theNewestComeFirstAndThePageSaysHowToGoOn() {
        storeMany(1_000);

        Page<Long> first = page(pages(), PushFilter.ALL, Order.NEWEST, 0, 3);
        assertThat(first.pushes()).containsExactly(1_000L, 999L, 998L);
        assertThat(first.looked()).isEqualTo(3);
        assertThat(first.last())
                .isEqualTo(new PushPages.Place(998, kept.get(997).receivedAt()));
        assertThat(first.next()).isEqualTo(997);

        assertThat(page(pages(), PushFilter.ALL, Order.NEWEST, first.next(), 2).pushes())
                .containsExactly(997L, 996L);
        assertThat(page(pages(), PushFilter.ALL, Order.NEWEST, 2, 2).next()).isZero();
    }

    @Test
    void aJournalWithoutPushesHasAnEmptyPageAndNothingMore() {
        Page<Long> page = page(pages(), PushFilter.ALL, Order.NEWEST, 0, 3);

        assertThat(page.pushes()).isEmpty();
        assertThat(page.last()).isNull();
        assertThat(page.next()).isZero();
    }

    @Test
    void aPageEndsWhenItsTimeIsOverHoweverFewWereFoundAndSaysHowFarItLooked() {
        storeMany(5_000);
        long[] now = {0};
        PushPages hasty = new PushPages(journal(), () -> now[0] += 1, new Budget(4, Long.MAX_VALUE));
        PushFilter none = new PushFilter(0, Long.MAX_VALUE, "nobody's", null, 0, Long.MAX_VALUE);

        Page<Long> page = page(hasty, none, Order.NEWEST, 0, 10);
        assertThat(page.pushes()).isEmpty();
        assertThat(page.looked()).isPositive().isLessThan(2_000);
        assertThat(page.next()).isEqualTo(Objects.requireNonNull(page.last()).seq() - 1);

        assertThat(all(hasty, none, Order.NEWEST, 10)).isEmpty();
    }

    @Test
    void aPageGetsFurtherByAPushEvenWithoutAnyTime() {
        storeMany(300);
        PushPages hasty = new PushPages(journal(), System::nanoTime, new Budget(0, 0));

        assertThat(all(hasty, PushFilter.ALL, Order.NEWEST, 7)).isEqualTo(expected(PushFilter.ALL, Order.NEWEST));
        assertThat(all(hasty, PushFilter.ALL, Order.OLDEST, 7)).isEqualTo(expected(PushFilter.ALL, Order.OLDEST));
    }

    @Test
    void aWindowThatTurnsOutTooLargeIsTakenInSmallerOnes() {
        for (int i = 0; i < 40; i++) {
            store(push("a", "t", "client.created", BEGIN + i, i + " ".repeat(1 << 20)));
        }

        assertThat(all(pages(), PushFilter.ALL, Order.NEWEST, 1_000))
                .isEqualTo(LongStream.rangeClosed(1, 40)
                        .map(seq -> 41 - seq)
                        .boxed()
                        .toList());
    }

    /** As where the machine starts with a clock that stands at the epoch until it hears of the time. */
    @Test
    void whatCameBeforeAClockWasPutBackIsFoundByItsTime() {
        storeMany(200);
        List<Long> before = kept.stream().map(PushRecord::seq).toList();
        for (int i = 0; i < 200; i++) {
            store(push("a", "t", "client.created", i, "epoch " + i + " ".repeat(200)));
        }
        PushFilter filter = new PushFilter(0, Long.MAX_VALUE, null, null, BEGIN - 7 * HOUR, Long.MAX_VALUE);

        assertThat(all(pages(), filter, Order.OLDEST, 1_000)).isEqualTo(before);
    }

    @Test
    void aSearchByTimeLooksAtLittleElseAndFindsLatePushesAllTheSame() {
        storeMany(5_000);
        long since = BEGIN + 4 * HOUR;
        PushFilter hour = new PushFilter(0, Long.MAX_VALUE, null, null, since, since + HOUR);
        PushPages pages = pages();

        assertThat(all(pages, hour, Order.NEWEST, 100)).isEqualTo(expected(hour, Order.NEWEST));
        assertThat(expected(hour, Order.NEWEST))
                .anyMatch(seq -> kept.get((int) (seq - 1)).late());
        // What is known of the segments by now.
        Page<Long> again = page(pages, hour, Order.NEWEST, 0, 100);
        assertThat(again.pushes()).isEqualTo(expected(hour, Order.NEWEST));
        assertThat(again.looked()).isLessThan(1_500);

        PushFilter last = new PushFilter(0, Long.MAX_VALUE, null, null, BEGIN + 80 * HOUR, Long.MAX_VALUE);
        Page<Long> recent = page(pages(), last, Order.OLDEST, 0, 1_000);
        assertThat(recent.pushes()).isEqualTo(expected(last, Order.OLDEST));
        assertThat(recent.looked()).isLessThan(500);
    }

    @Test
    void aPushThatCameLateIsLookedForOnceInTheSegmentThatIsWrittenTo() {
        journal = new LogUnderTest(directory).open();
        storeMany(2_000);
        store(lateBy(push("a", "t", "client.created", BEGIN + 40 * HOUR, "late"), 50 * HOUR));
        PushFilter before = new PushFilter(0, Long.MAX_VALUE, null, null, 0, BEGIN - 9 * HOUR);
        LongAdder read = new LongAdder();

        PushPages pages = new PushPages(counted(read), () -> 0, new Budget(1, Long.MAX_VALUE));
        assertThat(page(pages, before, Order.NEWEST, 0, 100).pushes()).containsExactly(2_001L);
        assertThat(read.sum()).isLessThan(3 * 2_001L);
    }

    /** The journal, of which is counted how many pushes are read. */
    private Journal counted(LongAdder read) {
        return (Journal) Proxy.newProxyInstance(
                Journal.class.getClassLoader(), new Class<?>[] {Journal.class}, (proxy, method, arguments) -> {
                    Object answer = method.invoke(journal(), arguments);
                    if (method.getName().equals("read")) {
                        read.add(((List<?>) answer).size());
                    }
                    return answer;
                });
    }

    @Test
    void whateverIsAskedForTheSameIsFoundAsByLookingAtAll() {
        storeMany(3_000);
        Random random = new Random(7);
        PushPages pages = new PushPages(journal(), System::nanoTime, new Budget(100_000, 50_000));
        for (int i = 0; i < 60; i++) {
            PushFilter filter = filter(random);
            for (Order order : Order.values()) {
                assertThat(all(pages, filter, order, 1 + random.nextInt(200)))
                        .as("%s %s", order, filter)
                        .isEqualTo(expected(filter, order));
            }
        }
    }

    private static PushFilter filter(Random random) {
        long from = random.nextInt(3) == 0 ? random.nextInt(3_000) : 0;
        long since = random.nextInt(2) == 0 ? BEGIN + random.nextInt(50) * HOUR : 0;
        return new PushFilter(
                from,
                random.nextInt(3) == 0 ? from + random.nextInt(2_000) : Long.MAX_VALUE,
                null,
                random.nextInt(2) == 0 ? "client.*" : null,
                random.nextInt(3) == 0 ? "t" + random.nextInt(6) : null,
                random.nextInt(3) == 0 ? "a" : null,
                since,
                random.nextInt(2) == 0 ? Math.max(since, BEGIN) + random.nextInt(20) * HOUR : Long.MAX_VALUE);
    }
}
