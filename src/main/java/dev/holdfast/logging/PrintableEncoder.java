package dev.holdfast.logging;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.nio.charset.Charset;

/** Lines after a pattern, whoever wrote what is in them: {@link Printable} as a whole, exceptions included. */
final class PrintableEncoder extends PatternLayoutEncoder {
    @Override
    public byte[] encode(ILoggingEvent event) {
        return Printable.text(getLayout().doLayout(event)).getBytes(Charset.defaultCharset());
    }
}
