package dev.holdfast.receiver;

import dev.holdfast.config.EndpointConfig;
import dev.holdfast.signature.LiveSecrets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints that are open, each with the secrets that are live. Any number of threads may ask while another one replaces
 * them: they see all of the old endpoints or all of the new ones, though the secrets of one change before those of the next. A
 * request goes on with the endpoint that its head was sent to, be that gone when its body has come; its signature is checked with
 * the secrets that are live then, or that were last.
 */
public final class Endpoints {
    /** In the order of the configuration. */
    private volatile Map<String, Endpoint> byPath = Map.of();
    /** By endpoint, with those that are gone: their pushes may still be on their way to a consumer. */
    private final Map<String, String> signatureHeaders = new ConcurrentHashMap<>();

    public Endpoints(List<EndpointConfig> configs) {
        replace(configs);
    }

    /** In the order of the configuration. */
    public List<Endpoint> all() {
        return List.copyOf(byPath.values());
    }

    /** The one at a path, exactly as it is written in a request. */
    @Nullable
    Endpoint at(@Nullable String path) {
        return path == null ? null : byPath.get(path);
    }

    /** The one that is called so; null when it is not open. */
    public @Nullable Endpoint named(String name) {
        return byPath.values().stream()
                .filter(endpoint -> endpoint.name().equals(name))
                .findAny()
                .orElse(null);
    }

    /** The name of the header with the signature, by endpoint, with those that are gone: as it is at the moment. */
    public Map<String, String> signatureHeaders() {
        return Collections.unmodifiableMap(signatureHeaders);
    }

    /** From the next request on there are these and no others. One thread at a time. */
    public void replace(List<EndpointConfig> wanted) {
        Map<String, Endpoint> next = new LinkedHashMap<>();
        wanted.forEach(config -> {
            signatureHeaders.put(config.name(), config.signatureHeader());
            next.put(config.path(), endpoint(config));
        });
        byPath = next;
    }

    private Endpoint endpoint(EndpointConfig config) {
        Endpoint before = named(config.name());
        LiveSecrets secrets = before == null ? new LiveSecrets(config.secrets()) : before.secrets();
        secrets.replace(config.secrets());
        return new Endpoint(config.name(), config.path(), config.signatureHeader(), secrets);
    }
}
