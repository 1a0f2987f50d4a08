package dev.holdfast.push;

import org.slf4j.spi.LoggingEventBuilder;

/** The fields of a log line about a push, for logs as JSON. Stateless. */
public final class LogFields {
    private LogFields() {}

    /** The line with the fields {@code seq}, {@code event} and {@code endpoint}. */
    public static LoggingEventBuilder of(LoggingEventBuilder line, PushRecord push) {
        return line.addKeyValue("seq", push.seq())
                .addKeyValue("event", push.envelope().event())
                .addKeyValue("endpoint", push.endpoint());
    }

    /** The same and {@code consumer}. */
    public static LoggingEventBuilder of(LoggingEventBuilder line, String consumer, PushRecord push) {
        return of(line.addKeyValue("consumer", consumer), push);
    }
}
