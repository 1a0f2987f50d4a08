package dev.holdfast.config;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The keys that one section of the configuration may have. */
enum KnownKeys {
    ROOT(
            "receiver",
            "journal",
            "dead-letters",
            "quarantine",
            "platform",
            "plugins",
            "consumers",
            "token",
            "management",
            "logging"),
    RECEIVER(
            "host",
            "port",
            "endpoints",
            "max-body",
            "max-in-flight",
            "header-timeout",
            "body-timeout",
            "idle-timeout",
            "drain-delay",
            "drain-timeout",
            "tls",
            "http2"),
    ENDPOINT("name", "path", "secrets", "signature-header"),
    TLS("certificate", "key"),
    JOURNAL("directory", "retention", "max-size", "reserve", "set-aside", "sync-timeout"),
    DEAD_LETTERS("max-count", "max-age"),
    QUARANTINE("max-size", "max-age", "max-body"),
    PLATFORM("client-field", "visitor-updated-event"),
    CONSUMER(
            "name",
            "events",
            "verticle",
            "start",
            "order-by",
            "concurrency",
            "instances",
            "threading",
            "timeout",
            "retry",
            "hold",
            "options"),
    RETRY("first-delay", "factor", "max-delay", "jitter", "max-attempts", "max-age"),
    TOKEN(
            "base-url",
            "path",
            "app-id",
            "app-secret",
            "code",
            "renew-at",
            "jitter",
            "expires-in-unit",
            "request-timeout",
            "renewal",
            "allow-http",
            "trust",
            "key"),
    RENEWAL("path", "parameters"),
    MANAGEMENT("host", "port", "token", "token-name", "hosts", "tls", "insecure", "public"),
    LOGGING("level");

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> keys;

    KnownKeys(String... keys) {
        this.keys = List.of(keys);
    }

    List<String> keys() {
        return keys;
    }

    /** The key that somebody probably meant who wrote {@code unknown}. */
    Optional<String> nearest(String unknown) {
        return keys.stream()
                .filter(key -> distance(plain(key), plain(unknown)) <= Math.max(1, key.length() / 3))
                .min((a, b) -> distance(plain(a), plain(unknown)) - distance(plain(b), plain(unknown)));
    }

    private static String plain(String key) {
        return key.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }

    /** Levenshtein's: how many letters to insert, drop or change. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
