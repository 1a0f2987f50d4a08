package dev.holdfast.config;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads the section {@code management}. On an address that others can reach it demands a token, and TLS, so that nobody
 * reads the token on its way.
 */
final class ManagementSection {
    /** Characters that a token must have if others can try to guess it. */
    private static final int SHORTEST_TOKEN = 32;

    private static final Pattern LOOPBACK =
            Pattern.compile("127(\\.\\d{1,3}){1,3}|\\[?::1]?|localhost\\.?", Pattern.CASE_INSENSITIVE);
    private static final ValueType<String> PUBLIC_PART =
            ValueType.matching("health or metrics", ManagementConfig.HEALTH + "|" + ManagementConfig.METRICS);

    private ManagementSection() {}

    static ManagementConfig read(Section section, ReceiverConfig receiver) {
        ManagementConfig config = new ManagementConfig(
                section.value("host", ValueType.HOST, "127.0.0.1"),
                section.value("port", ValueType.PORT, 8081),
                section.optional("token", ValueType.SENT_SECRET),
                section.value("token-name", ValueType.NAME, "token"),
                section.values("hosts", ValueType.HOST_WITHOUT_PORT, List.of()),
                section.tls(),
                section.value("insecure", ValueType.FLAG, false),
                section.values("public", PUBLIC_PART, List.of(ManagementConfig.HEALTH)));
        // Ports must differ even on different addresses: limits and metrics of connections are kept by port.
        if (config.port() != 0 && config.port() == receiver.port()) {
            section.problem("port", config.port() + ", which is the receiver's", "a port of its own");
        }
        if (!LOOPBACK.matcher(config.host()).matches()) {
            checkGuard(section, config);
        }
        return config;
    }

    private static void checkGuard(Section section, ManagementConfig config) {
        Secret token = config.token();
        int length = token == null ? 0 : token.reveal().getBytes(StandardCharsets.UTF_8).length;
        if (length < SHORTEST_TOKEN) {
            section.problem(
                    section.holds("token") ? "token" : "host",
                    token == null ? "an address others can reach and no token" : "a token of " + length + " characters",
                    "a token of at least " + SHORTEST_TOKEN
                            + " characters on an address others can reach, such as openssl rand -hex 16 makes; or a loopback"
                            + " address");
        }
        if (config.tls() == null && !section.isSection("tls") && !config.insecure()) {
            section.problem(
                    "host",
                    "an address others can reach and no tls",
                    "tls, so that nobody reads the token on its way; or insecure: true where a proxy or the network sees to that");
        }
    }
}
