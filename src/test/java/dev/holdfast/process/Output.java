package dev.holdfast.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a child writes to one of its streams, collected while it runs. */
final class Output {
    private final List<String> lines = new ArrayList<>();
    private boolean ended;

    static Output of(InputStream stream) {
        Output output = new Output();
        Thread reader = new Thread(() -> output.collect(stream), "output");
        reader.setDaemon(true);
        reader.start();
        return output;
    }

    private void collect(InputStream stream) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                add(line);
            }
        } catch (IOException | UncheckedIOException e) {
            add("[the stream broke: " + e + "]");
        } finally {
            end();
        }
    }

    private synchronized void add(String line) {
        lines.add(line);
        notifyAll();
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }

    synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    String text() {
        return String.join("\n", lines());
    }

    /** The first line that the pattern is found in, now or within the time. */
    synchronized Matcher await(Pattern pattern, Duration timeout) throws InterruptedException {
        Matcher found = awaitOrEnd(pattern, timeout);
        if (found == null) {
            throw new AssertionError((ended ? "the child ended" : timeout + " passed") + " without a line with \""
                    + pattern + "\"; it wrote:\n" + String.join("\n", lines));
        }
        return found;
    }

    /** The same; null when the child has ended or the time is over before there is such a line. */
    synchronized @Nullable Matcher awaitOrEnd(Pattern pattern, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        int seen = 0;
        while (true) {
            for (; seen < lines.size(); seen++) {
                Matcher matcher = pattern.matcher(lines.get(seen));
                if (matcher.find()) {
                    return matcher;
                }
            }
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (ended || left <= 0) {
                return null;
            }
            wait(left);
        }
    }

    /** Everything, once the child has closed the stream. */
    synchronized void awaitEnd(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!ended) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new AssertionError("the child has not closed its stream within " + timeout);
            }
            wait(left);
        }
    }
}
