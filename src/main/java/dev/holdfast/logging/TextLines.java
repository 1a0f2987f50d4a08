package dev.holdfast.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.util.CachingDateFormatter;

/**
 * A line of text: the time with its offset, the level, the logger's simple name and the message, then the stack trace
 * if there is one. The whole is {@link Printable}, whoever wrote its parts. No Logback pattern is used: Logback makes
 * an object of each possible word of a pattern, which takes 0.05 s of each start.
 */
final class TextLines extends LayoutBase<ILoggingEvent> {
    private final CachingDateFormatter time = new CachingDateFormatter("yyyy-MM-dd'T'HH:mm:ss.SSSXXX");

    @Override
    public String doLayout(ILoggingEvent event) {
        String level = event.getLevel().toString();
        String logger = event.getLoggerName();
        StringBuilder line = new StringBuilder(256)
                .append(time.format(event.getTimeStamp()))
                .append(' ')
                .append(level)
                .append(level.length() < 5 ? "  " : " ")
                .append(logger, logger.lastIndexOf('.') + 1, logger.length())
                .append(": ")
                .append(event.getFormattedMessage())
                .append('\n');
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null) {
            line.append(ThrowableProxyUtil.asString(thrown));
        }
        return Printable.text(line.toString());
    }
}
