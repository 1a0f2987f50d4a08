package dev.holdfast.logging;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.slf4j.MDC;

/** A logger of Logback's own whose lines a layout writes to memory. */
final class Written implements AutoCloseable {
    private final LoggerContext logback = new LoggerContext();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    Written(Layout<ILoggingEvent> layout) {
        logback.setMDCAdapter(MDC.getMDCAdapter());
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(logback);
        encoder.setLayout(layout);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.start();
        OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
        appender.setContext(logback);
        appender.setEncoder(encoder);
        appender.setOutputStream(written);
        appender.start();
        log().addAppender(appender);
    }

    Logger log() {
        return logback.getLogger("dev.holdfast.Some");
    }

    String text() {
        return written.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        logback.stop();
    }
}
