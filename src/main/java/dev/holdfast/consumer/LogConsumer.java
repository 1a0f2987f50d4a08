package dev.holdfast.consumer;

import dev.holdfast.logging.Printable;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes one log line a push, with nothing of its business data and no token in it. Short name {@code log}. */
public class LogConsumer extends PushConsumer {
    private Logger log = LoggerFactory.getLogger(LogConsumer.class);

    @Override
    public Future<?> start() throws Exception {
        log = LoggerFactory.getLogger("consumer." + name());
        return super.start();
    }

    @Override
    protected Future<?> handle(Push push) {
        return logged(push);
    }

    /** Writes the line. */
    protected final Future<?> logged(Push push) {
        log.atInfo()
                .addKeyValue("consumer", name())
                .addKeyValue("seq", push.seq())
                .addKeyValue("event", push.event())
                .addKeyValue("endpoint", push.endpoint())
                .log(() -> Printable.line(push.event()) + " seq=" + push.seq() + " endpoint=" + push.endpoint()
                        + " bytes=" + push.size());
        return Future.succeededFuture();
    }
}
