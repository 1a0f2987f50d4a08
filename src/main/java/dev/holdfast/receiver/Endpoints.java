package dev.holdfast.receiver;

import dev.holdfast.config.EndpointConfig;
import dev.holdfast.signature.LiveSecrets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The endpoints as they were at the start, with the secrets that are live now. */
public final class Endpoints {
    private static final Logger LOG = LoggerFactory.getLogger(Endpoints.class);

    private final List<Endpoint> open;

    public Endpoints(List<EndpointConfig> configs) {
        open = configs.stream()
                .map(config -> new Endpoint(
                        config.name(), config.path(), config.signatureHeader(), new LiveSecrets(config.secrets())))
                .toList();
    }

    /** For the receiver. */
    public List<Endpoint> all() {
        return open;
    }

    /** Replaces secrets; whatever else has changed is named in the log and waits for the next start. */
    public void replaceSecrets(List<EndpointConfig> wanted) {
        Map<String, EndpointConfig> configs = new LinkedHashMap<>();
        wanted.forEach(config -> configs.put(config.name(), config));
        for (Endpoint endpoint : open) {
            EndpointConfig config = configs.remove(endpoint.name());
            if (config == null) {
                LOG.warn("endpoint {} is no longer configured, and open until the next start", endpoint.name());
                continue;
            }
            endpoint.secrets().replace(config.secrets());
            if (!endpoint.path().equals(config.path())
                    || !endpoint.signatureHeader().equals(config.signatureHeader())) {
                LOG.warn("endpoint {} has another path or signature header, from the next start on", endpoint.name());
            }
        }
        configs.keySet().forEach(name -> LOG.warn("endpoint {} is new and waits for the next start", name));
    }
}
