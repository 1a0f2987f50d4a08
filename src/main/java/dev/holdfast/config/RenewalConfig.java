package dev.holdfast.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The request that renews a token, which the interface doesn't show: a {@code GET} with these parameters in its query.
 *
 * @param path below the base URL
 * @param parameters in the order of the file. A value that is {@link #APP_ID}, {@link #APP_SECRET} or
 *     {@link #REFRESH_TOKEN} stands for the real one
 */
public record RenewalConfig(String path, Map<String, String> parameters) {
    public static final String APP_ID = "{app-id}";
    public static final String APP_SECRET = "{app-secret}";
    public static final String REFRESH_TOKEN = "{refresh-token}";

    /** Every value that is a placeholder. */
    static final Set<String> PLACEHOLDERS = Set.of(APP_ID, APP_SECRET, REFRESH_TOKEN);

    public RenewalConfig {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /** The parameters in the exchange's own style. An assumption. */
    public static Map<String, String> assumedParameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("appId", APP_ID);
        parameters.put("appSecret", APP_SECRET);
        parameters.put("grantType", "refresh_token");
        parameters.put("refreshToken", REFRESH_TOKEN);
        return parameters;
    }

    /** Without the parameters' values, which may be secrets. */
    @Override
    public String toString() {
        return "RenewalConfig[path=" + path + ", parameters=" + Secret.hidden(parameters) + "]";
    }
}
