package dev.holdfast.tracing;

import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether pushes are traced, as the environment asks. */
public final class Tracing {
    private static final Logger LOG = LoggerFactory.getLogger(Tracing.class);

    /** The only protocol that the included exporter can send. */
    private static final String PROTOCOL = "http/protobuf";

    private Tracing() {}

    /**
     * A tracer if a variable names an exporter of traces or an address to send them to. Mistakes in the variables are
     * logged, and nothing is traced: the variables are often those of a whole machine, and receiving doesn't depend on
     * them.
     */
    public static PushTracer of(Map<String, String> environment) {
        if (!isAsked(environment)) {
            return PushTracer.NONE;
        }
        String protocol = first(environment, "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL");
        if (!protocol.isEmpty() && !protocol.equals(PROTOCOL)) {
            LOG.error("pushes are not traced: found the OTLP protocol {}, expected {}", protocol, PROTOCOL);
            return PushTracer.NONE;
        }
        try {
            PushTracer tracer = OtelTracer.of(environment);
            LOG.info("pushes are traced, as the OTEL_ variables ask{}", receiver(environment));
            return tracer;
        } catch (RuntimeException e) {
            // Where the SDK checks a value itself, only the cause says what is wrong with it.
            String why = e.getCause() == null
                    ? e.getMessage()
                    : e.getMessage() + ": " + e.getCause().getMessage();
            LOG.error("pushes are not traced: {}", new TracingSecrets(environment).hide(String.valueOf(why)));
            return PushTracer.NONE;
        }
    }

    /** Whether the environment asks for traces. */
    static boolean isAsked(Map<String, String> environment) {
        String exporter = value(environment, "OTEL_TRACES_EXPORTER");
        boolean isAsked = exporter.isEmpty()
                ? !value(environment, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT").isEmpty()
                        || !value(environment, "OTEL_EXPORTER_OTLP_ENDPOINT").isEmpty()
                : !exporter.equals("none");
        return isAsked && !value(environment, "OTEL_SDK_DISABLED").equals("true");
    }

    /** Where spans are sent, for the log. */
    private static String receiver(Map<String, String> environment) {
        String endpoint = first(environment, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT");
        return endpoint.isEmpty() ? "" : ": spans go to " + TracingSecrets.shown(endpoint);
    }

    private static String first(Map<String, String> environment, String name, String otherwise) {
        String value = environment.getOrDefault(name, "").strip();
        return value.isEmpty() ? environment.getOrDefault(otherwise, "").strip() : value;
    }

    private static String value(Map<String, String> environment, String name) {
        return environment.getOrDefault(name, "").strip().toLowerCase(Locale.ROOT);
    }
}
