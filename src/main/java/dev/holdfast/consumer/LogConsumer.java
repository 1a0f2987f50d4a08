package dev.holdfast.consumer;

import dev.holdfast.logging.Printable;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import org.slf4j.LoggerFactory;

/** Writes one log line a push, with nothing of its business data and no token in it. Short name {@code log}. */
public class LogConsumer extends PushConsumer {
    @Override
    protected Future<?> handle(Push push) {
        return logged(push);
    }

    /** Writes the line. */
    protected final Future<?> logged(Push push) {
        LoggerFactory.getLogger("consumer." + name())
                .atInfo()
                .addKeyValue("consumer", name())
                .addKeyValue("seq", push.seq())
                .addKeyValue("event", push.event())
                .addKeyValue("endpoint", push.endpoint())
                .log(() -> Printable.line(push.event()) + " seq=" + push.seq() + " endpoint=" + push.endpoint()
                        + " bytes=" + push.size());
        return Future.succeededFuture();
    }
}
