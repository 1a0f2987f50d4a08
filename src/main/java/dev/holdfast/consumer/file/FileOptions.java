package dev.holdfast.consumer.file;

import dev.holdfast.config.ConsumerOptions;
import dev.holdfast.consumer.format.CloudEvents;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A {@code file} consumer's {@code options:}.
 *
 * @param rotateSize bytes at which a file is ended
 * @param rotateAge age at which a file is ended
 * @param gzip whether ended files are compressed
 * @param cloudEvents whether lines are CloudEvents
 */
record FileOptions(Path directory, long rotateSize, Duration rotateAge, boolean gzip, boolean cloudEvents) {
    private static final List<String> KEYS = List.of("directory", "rotate-size", "rotate-age", "gzip", "format");
    private static final long MIB = 1024 * 1024;

    /** @throws IllegalArgumentException on a mistake, without showing a value */
    static FileOptions read(String consumer, Map<String, Object> values) {
        ConsumerOptions options = new ConsumerOptions(consumer, values, KEYS, file -> {});
        return new FileOptions(
                options.path("directory"),
                options.size("rotate-size", 1, Long.MAX_VALUE >> 10, 100 * MIB),
                options.duration("rotate-age", Duration.ofDays(1)),
                options.flag("gzip", true),
                options.word("format", CloudEvents.FORMATS, "push").equals("cloudevents"));
    }
}
