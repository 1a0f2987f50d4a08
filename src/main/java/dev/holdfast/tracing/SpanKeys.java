package dev.holdfast.tracing;

import io.opentelemetry.api.common.AttributeKey;

/** What a span may say of a push. Nothing of its body, its query or its signature. */
final class SpanKeys {
    static final AttributeKey<Long> SEQ = AttributeKey.longKey("holdfast.seq");
    static final AttributeKey<String> EVENT = AttributeKey.stringKey("holdfast.event");
    static final AttributeKey<String> ENDPOINT = AttributeKey.stringKey("holdfast.endpoint");
    static final AttributeKey<String> CONSUMER = AttributeKey.stringKey("holdfast.consumer");
    static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("holdfast.attempt");
    static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("holdfast.outcome");
    static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

    private SpanKeys() {}
}
