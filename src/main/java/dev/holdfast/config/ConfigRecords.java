package dev.holdfast.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the records out of the sections: every key, its kind, its default, and what must fit together. */
final class ConfigRecords {
    /** The shipped consumer of which two at once would write to the same files. */
    private static final String ONE_WRITER = "file";

    private static final String FORWARDER = "http";

    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;
    private static final long GIB = 1024 * MIB;
    /** Log, memory and files that are freed as a whole only: a journal that is kept smaller keeps hardly any pushes. */
    private static final long MIN_JOURNAL = 256 * MIB;
    /** It is kept by files of a part of it, the oldest of which go. */
    private static final ValueType<Long> QUARANTINE_SIZE = ValueType.size(MIB, 1024 * GIB);
    /** A body is held in one array. */
    private static final ValueType<Long> BODY_SIZE = ValueType.size(1, GIB);

    private static final Duration LONGEST_RETENTION = Duration.ofDays(3650);
    private static final ValueType<Long> SIZE = ValueType.size(0, Long.MAX_VALUE >> 10);
    /** It is written in full at the start. */
    private static final ValueType<Long> SET_ASIDE = ValueType.size(0, 64 * GIB);

    private static final Set<String> EVERY_ADDRESS = Set.of("0.0.0.0", "::", "[::]");
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "::1", "[::1]");

    private final Section root;
    private final ConsumerCheck check;

    ConfigRecords(Section root, ConsumerCheck check) {
        this.root = root;
        this.check = check;
    }

    HoldfastConfig holdfast() {
        ReceiverConfig receiver = receiver(root.section("receiver", KnownKeys.RECEIVER));
        Path plugins = root.directory("plugins", Path.of("plugins"));
        return new HoldfastConfig(
                receiver,
                journal(root.section("journal", KnownKeys.JOURNAL), receiver.maxBody()),
                deadLetters(root.section("dead-letters", KnownKeys.DEAD_LETTERS)),
                quarantine(root.section("quarantine", KnownKeys.QUARANTINE)),
                platform(root.section("platform", KnownKeys.PLATFORM)),
                plugins,
                consumers(receiver.endpoints(), plugins),
                TokenSection.read(root),
                management(root.section("management", KnownKeys.MANAGEMENT), receiver));
    }

    private ReceiverConfig receiver(Section section) {
        long maxBody = section.value("max-body", BODY_SIZE, 8 * MIB);
        long maxInFlight =
                section.value("max-in-flight", SIZE, HeapPlan.ofProcess().maxInFlight(maxBody));
        if (maxInFlight < maxBody) {
            section.problem("max-in-flight", ByteSize.show(maxInFlight), atLeast("max-body", ByteSize.show(maxBody)));
        }
        return new ReceiverConfig(
                section.value("host", ValueType.HOST, "0.0.0.0"),
                section.value("port", ValueType.PORT, 8080),
                endpoints(section),
                maxBody,
                maxInFlight,
                section.value("header-timeout", ValueType.TIMEOUT, Duration.ofSeconds(10)),
                section.value("body-timeout", ValueType.TIMEOUT, Duration.ofSeconds(30)),
                section.value("idle-timeout", ValueType.TIMEOUT, Duration.ofSeconds(75)),
                section.value("drain-delay", ValueType.DURATION, Duration.ofSeconds(5)),
                section.value("drain-timeout", ValueType.DURATION, Duration.ofSeconds(30)),
                tls(section),
                section.value("http2", ValueType.FLAG, false));
    }

    private List<EndpointConfig> endpoints(Section receiver) {
        List<EndpointConfig> endpoints = new ArrayList<>();
        List<Section> sections = receiver.sections("endpoints", KnownKeys.ENDPOINT);
        Uniqueness names = new Uniqueness("name");
        Uniqueness paths = new Uniqueness("path");
        for (Section section : sections) {
            EndpointConfig endpoint = endpoint(section);
            names.check(section, endpoint.name());
            paths.check(section, endpoint.path());
            endpoints.add(endpoint);
        }
        if (sections.isEmpty() && !receiver.holds("endpoints")) {
            receiver.problem("endpoints", "nothing", "at least one endpoint");
        }
        return endpoints;
    }

    private static EndpointConfig endpoint(Section section) {
        List<Secret> secrets = section.values("secrets", ValueType.SECRET);
        for (int i = 0; i < secrets.size(); i++) {
            if (secrets.get(i).isWeak()) {
                section.warning(
                        "secrets", i, "a secret of less than 128 bits", "more: one push tells enough to guess it");
            }
        }
        return new EndpointConfig(
                section.required("name", ValueType.NAME, ""),
                section.required("path", ValueType.URL_PATH, ""),
                secrets,
                section.value(
                        "signature-header", ValueType.SIGNATURE_HEADER, EndpointConfig.PUBLISHED_SIGNATURE_HEADER));
    }

    private static @Nullable TlsConfig tls(Section receiver) {
        Section section = receiver.section("tls", KnownKeys.TLS);
        if (!receiver.isSection("tls")) {
            return null;
        }
        return new TlsConfig(
                section.requiredFile("certificate", NamedFiles::certificates),
                section.requiredFile("key", NamedFiles::privateKey));
    }

    private static JournalConfig journal(Section section, long maxBody) {
        long maxSize = section.value("max-size", SIZE, 50 * GIB);
        if (maxSize < MIN_JOURNAL) {
            section.problem("max-size", ByteSize.show(maxSize), "at least " + ByteSize.show(MIN_JOURNAL));
        } else if (maxSize < maxBody) {
            section.problem("max-size", ByteSize.show(maxSize), atLeast("receiver.max-body", ByteSize.show(maxBody)));
        }
        return new JournalConfig(
                section.directory("directory", Path.of("data")),
                section.value("retention", ValueType.timeout(LONGEST_RETENTION), Duration.ofDays(7)),
                maxSize,
                section.value("reserve", SIZE, GIB),
                section.value("set-aside", SET_ASIDE, 256 * MIB),
                section.value("sync-timeout", ValueType.TIMEOUT, Duration.ofSeconds(10)));
    }

    private static DeadLettersConfig deadLetters(Section section) {
        return new DeadLettersConfig(
                section.value("max-count", ValueType.count(1, 10_000_000), 100_000),
                section.value("max-age", ValueType.timeout(LONGEST_RETENTION), Duration.ofDays(30)));
    }

    private static QuarantineConfig quarantine(Section section) {
        long maxSize = section.value("max-size", QUARANTINE_SIZE, GIB);
        long maxBody = section.value("max-body", BODY_SIZE, MIB);
        if (maxSize < maxBody) {
            section.problem("max-size", ByteSize.show(maxSize), atLeast("max-body", ByteSize.show(maxBody)));
        }
        return new QuarantineConfig(
                maxSize, section.value("max-age", ValueType.timeout(LONGEST_RETENTION), Duration.ofDays(7)), maxBody);
    }

    private static PlatformConfig platform(Section section) {
        return new PlatformConfig(
                section.optional("client-field", ValueType.FIELD),
                section.value("visitor-updated-event", ValueType.EVENT, "visitor.updated"));
    }

    private List<ConsumerConfig> consumers(List<EndpointConfig> endpoints, Path plugins) {
        List<ConsumerConfig> consumers = new ArrayList<>();
        Uniqueness names = new Uniqueness("name");
        for (Section section : root.sections("consumers", KnownKeys.CONSUMER)) {
            int before = section.problems();
            ConsumerConfig consumer = consumer(section);
            names.check(section, consumer.name());
            if (section.problems() == before && NamedFiles.directory(plugins) == null) {
                check(section, consumer, endpoints, plugins);
            }
            consumers.add(consumer);
        }
        return consumers;
    }

    private void check(Section section, ConsumerConfig consumer, List<EndpointConfig> endpoints, Path plugins) {
        try {
            check.check(consumer, endpoints, plugins);
        } catch (OptionMistake e) {
            section.problemBelow("options", e.key(), e.text());
        } catch (IllegalArgumentException e) {
            section.problem("verticle", String.valueOf(e.getMessage()));
        }
    }

    private static ConsumerConfig consumer(Section section) {
        String verticle = section.required("verticle", ValueType.VERTICLE, "");
        int instances = section.value("instances", ValueType.count(1, 64), 1);
        if (instances > 1 && verticle.equals(ONE_WRITER)) {
            section.problem(
                    "instances", String.valueOf(instances), "1: the files of " + ONE_WRITER + " have one writer");
        }
        return new ConsumerConfig(
                section.required("name", ValueType.NAME, ""),
                section.values("events", ValueType.EVENT_PATTERN),
                verticle,
                section.value("start", ValueType.START, ConsumerConfig.Start.EARLIEST),
                section.valuesOrNone("order-by", ValueType.POINTER),
                section.value("concurrency", ValueType.count(1, 1024), 16),
                instances,
                section.value("threading", ValueType.THREADING, usualThreading(verticle)),
                section.value("timeout", ValueType.TIMEOUT, Duration.ofSeconds(30)),
                retry(section.section("retry", KnownKeys.RETRY)),
                section.value("hold", ValueType.timeout(LONGEST_RETENTION), ConsumerConfig.USUAL_HOLD),
                section.free("options"));
    }

    /** The shipped forwarder never blocks; of another consumer nobody knows. */
    private static ConsumerConfig.Threading usualThreading(String verticle) {
        return verticle.equals(FORWARDER) ? ConsumerConfig.Threading.EVENT_LOOP : ConsumerConfig.Threading.WORKER;
    }

    private static RetryConfig retry(Section section) {
        Duration firstDelay = section.value("first-delay", ValueType.TIMEOUT, Duration.ofMillis(200));
        Duration maxDelay = section.value("max-delay", ValueType.TIMEOUT, Duration.ofMinutes(1));
        if (maxDelay.compareTo(firstDelay) < 0) {
            section.problem("max-delay", TimeSpan.show(maxDelay), atLeast("first-delay", TimeSpan.show(firstDelay)));
        }
        return new RetryConfig(
                firstDelay,
                section.value("factor", ValueType.number(1, 100), 2.0),
                maxDelay,
                section.value("jitter", ValueType.number(0, 1), 0.5),
                section.optional("max-attempts", ValueType.count(1, 1_000_000)),
                section.value("max-age", ValueType.TIMEOUT, Duration.ofDays(3)));
    }

    private static ManagementConfig management(Section section, ReceiverConfig receiver) {
        String host = section.value("host", ValueType.HOST, "127.0.0.1");
        int port = section.value("port", ValueType.PORT, 8081);
        Secret token = section.optional("token", ValueType.SECRET);
        if (port != 0 && port == receiver.port() && overlap(host, receiver.host())) {
            section.problem("port", port + ", which is the receiver's", "a port of its own");
        }
        if (token == null && !LOOPBACK.contains(host)) {
            section.warning("host", "an address others can reach and no token", "a loopback address or a token");
        }
        return new ManagementConfig(host, port, token, section.valuesOrNone("hosts", ValueType.HOST_WITHOUT_PORT));
    }

    private static boolean overlap(String one, String other) {
        return one.equals(other) || EVERY_ADDRESS.contains(one) || EVERY_ADDRESS.contains(other);
    }

    private static String atLeast(String key, String value) {
        return "at least " + key + ", which is " + value;
    }

    /** Sees to it that no two sections of a list have the same value under a key. */
    private static final class Uniqueness {
        private final String key;
        private final Map<String, Section> first = new HashMap<>();

        Uniqueness(String key) {
            this.key = key;
        }

        void check(Section section, String value) {
            Section before = value.isEmpty() ? null : first.putIfAbsent(value, section);
            if (before != null) {
                section.problem(
                        key,
                        section.found(key) + " a second time",
                        "another " + key + " than on line " + before.lineOf(key));
            }
        }
    }
}
