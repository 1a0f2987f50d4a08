package dev.holdfast.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One handling of a push, as the consumer noted it before it said that it was done.
 *
 * @param life the process that the consumer lived in
 */
record DiaryEntry(String life, String lane, long seq, BodyDigest digest) {
    static final String CLASS = "example.DiaryConsumer";

    /** A line is written at once, yet a kill may cut it off: then a new life begins on a line of its own. */
    static final String CODE = """
            package example;

            import dev.holdfast.consumer.PushConsumer;
            import dev.holdfast.push.Push;
            import io.vertx.core.Future;
            import java.nio.ByteBuffer;
            import java.nio.channels.FileChannel;
            import java.nio.charset.StandardCharsets;
            import java.nio.file.Path;
            import java.nio.file.StandardOpenOption;
            import java.security.MessageDigest;
            import java.util.HexFormat;

            public class DiaryConsumer extends PushConsumer {
                private final String life = Long.toString(ProcessHandle.current().pid());
                private FileChannel diary;

                @Override
                public Future<?> start() throws Exception {
                    diary = FileChannel.open(
                            Path.of(config().getString("diary")), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                    note("\\n");
                    return super.start();
                }

                @Override
                protected Future<?> handle(Push push) {
                    try {
                        String lane = push.endpoint() + "/" + push.enterpriseToken() + "/" + push.family();
                        byte[] digest = MessageDigest.getInstance("SHA-256").digest(push.body().getBytes());
                        note(life + " " + lane + " " + push.seq() + " " + HexFormat.of().formatHex(digest) + "\\n");
                        return Future.succeededFuture();
                    } catch (Exception e) {
                        return Future.failedFuture(e);
                    }
                }

                private void note(String line) throws Exception {
                    diary.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
                }
            }
            """;

    private static final Pattern LINE = Pattern.compile("(\\d+) (\\S+) (\\d+) ([0-9a-f]{64})");

    /** The lines for the configuration. */
    static String consumer(Path diary) {
        return """
                consumers:
                  - name: diary
                    events: ["*"]
                    verticle: %s
                    options:
                      diary: "%s"
                """.formatted(CLASS, diary);
    }

    /** The whole diary in the order of writing, but for lines that were cut off. */
    static List<DiaryEntry> all(Path diary) throws IOException {
        List<DiaryEntry> entries = new ArrayList<>();
        for (String line : Files.readAllLines(diary)) {
            Matcher entry = LINE.matcher(line);
            if (entry.matches()) {
                entries.add(new DiaryEntry(
                        entry.group(1),
                        entry.group(2),
                        Long.parseLong(entry.group(3)),
                        new BodyDigest(entry.group(4))));
            }
        }
        return entries;
    }
}
