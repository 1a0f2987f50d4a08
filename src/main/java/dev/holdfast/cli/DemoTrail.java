package dev.holdfast.cli;

import dev.holdfast.cli.terminal.Style;
import dev.holdfast.cli.terminal.Terminal;
import dev.holdfast.cli.terminal.TextWidth;
import dev.holdfast.logging.Counted;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.simulator.Answer;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Writes what becomes of each push, a line each, with running counts. */
final class DemoTrail implements PushWatcher {
    /** The consumer that gets some of the pushes in addition. */
    private static final String CRM = "crm";

    private static final String CRM_EVENTS = "client.";

    private static final int OK = 200;

    private final CliEnvironment cli;
    private final Terminal terminal;
    /** Lines that wait to be shown. */
    private final List<String> lines = new ArrayList<>();

    /** What has not been handled yet. */
    private final Set<Part> open = new HashSet<>();

    /** Positions of pushes that are dead letters, or will be. */
    private final Set<Long> refusedByCrm = new HashSet<>();

    private boolean shown;
    /** Whether nobody reads the output any more. */
    private boolean gone;

    private long accepted;
    private long published;
    private long handled;

    /** A push for the CRM, or for its own consumer. */
    private record Part(long seq, boolean atCrm) {}

    DemoTrail(CliEnvironment cli) {
        this.cli = cli;
        this.terminal = cli.terminal();
    }

    /** Called when the platform was answered, perhaps before the push is published. */
    synchronized void answered(String event, Answer answer) {
        if (answer.status() == OK) {
            accepted++;
        } else {
            line("-", event, Style.BAD, "refused with " + answer.status() + ": look at the quarantine");
        }
    }

    @Override
    public synchronized void published(PushRecord push) {
        published++;
        open.add(new Part(push.seq(), false));
        if (push.envelope().event().startsWith(CRM_EVENTS)) {
            open.add(new Part(push.seq(), true));
        }
    }

    @Override
    public synchronized void handled(PushRecord push, String consumer) {
        boolean atCrm = consumer.equals(CRM);
        if (atCrm) {
            refusedByCrm.remove(push.seq());
        }
        boolean counted = open.remove(new Part(push.seq(), atCrm)) && !open.contains(new Part(push.seq(), !atCrm));
        handled += counted ? 1 : 0;
        line(
                push,
                Style.GOOD,
                String.format(
                        Locale.ROOT,
                        "handled by %-13s %4d ms%s",
                        consumer,
                        System.currentTimeMillis() - push.receivedAt(),
                        counted ? "  " + handled + "/" + published : ""));
        notifyAll();
    }

    @Override
    public synchronized void failed(PushRecord push, String consumer, int attempt) {
        if (consumer.equals(CRM) && refusedByCrm.contains(push.seq())) {
            line(push, Style.BAD, "refused by " + CRM + " for good: a dead letter");
            notifyAll();
        } else {
            line(push, Style.WARNING, "failed at " + consumer + ", attempt " + attempt + ": its lane waits");
        }
    }

    /** Notes that the push will be a dead letter. */
    synchronized void refusedByCrm(long seq) {
        refusedByCrm.add(seq);
    }

    private void line(PushRecord push, Style style, String what) {
        line(Long.toString(push.seq()), push.envelope().event(), style, what);
    }

    private void line(String seq, String event, Style style, String what) {
        String time = LocalTime.now(ZoneId.systemDefault())
                .truncatedTo(ChronoUnit.SECONDS)
                .format(DateTimeFormatter.ISO_TIME);
        lines.add(terminal.paint(Style.DIM, String.format(Locale.ROOT, "%8s %4s", time, seq)) + "  "
                + terminal.paint(Style.ACCENT, TextWidth.pad(event, 22, false)) + "  " + terminal.paint(style, what));
        if (shown) {
            show();
        }
    }

    /** Prints what has happened so far, and from now on each line at once. */
    synchronized void show() {
        shown = true;
        lines.forEach(cli.out()::println);
        lines.clear();
        if (cli.out().checkError() && !gone) {
            gone = true;
            Shutdown.begin(cli.outputFailed());
        }
    }

    /** Adds a line about something other than a push. */
    synchronized void say(String what, String said) {
        line("", what, Style.PLAIN, said);
    }

    /** Waits until every accepted push is published, and handled by everybody or a dead letter; at most this long. */
    synchronized void settle(long millis) {
        long deadline = System.currentTimeMillis() + millis;
        try {
            for (long left = millis;
                    handled + refusedByCrm.size() < Math.max(accepted, published) && left > 0;
                    left = deadline - System.currentTimeMillis()) {
                wait(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The counts in words. */
    synchronized String summary() {
        String counts = Counted.of(published, "push") + " accepted, " + handled + " handled";
        return refusedByCrm.isEmpty() ? counts : counts + ", " + Counted.of(refusedByCrm.size(), "dead letter");
    }
}
