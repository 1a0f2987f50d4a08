package dev.holdfast.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the records out of the sections: knows every key, its type, its default, and which values must fit together.
 */
final class ConfigRecords {
    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;
    private static final long GIB = 1024 * MIB;
    /** The journal frees its files only as a whole: if it is kept smaller than this, hardly any pushes are kept. */
    private static final long MIN_JOURNAL = 256 * MIB;
    /** The quarantine also frees only whole files: its least size makes one file a small part of it. */
    private static final ValueType<Long> QUARANTINE_SIZE = ValueType.size(MIB, 1024 * GIB);
    /** A body is held in one array. */
    private static final ValueType<Long> BODY_SIZE = ValueType.size(1, GIB);

    private static final ValueType<Long> SIZE = ValueType.size(0, Long.MAX_VALUE >> 10);
    /** Bounded, since the file is written in full. */
    private static final ValueType<Long> SET_ASIDE = ValueType.size(0, 64 * GIB);

    private ConfigRecords() {}

    /** @param files gets the files that consumers name */
    static HoldfastConfig read(Section root, ConsumerCheck check, JudgedFiles files) {
        ReceiverConfig receiver = receiver(root.section("receiver", ReceiverConfig.class));
        Path plugins = root.directory("plugins", Path.of("plugins"));
        return new HoldfastConfig(
                receiver,
                journal(root.section("journal", JournalConfig.class), receiver.maxBody()),
                deadLetters(root.section("dead-letters", DeadLettersConfig.class)),
                quarantine(root.section("quarantine", QuarantineConfig.class)),
                platform(root.section("platform", PlatformConfig.class)),
                plugins,
                new ConsumerSections(check, receiver.endpoints(), plugins, files).read(root),
                TokenSection.read(root),
                ManagementSection.read(root.section("management", ManagementConfig.class), receiver),
                logging(root.section("logging", LoggingConfig.class)));
    }

    private static ReceiverConfig receiver(Section section) {
        long maxBody = section.value("max-body", BODY_SIZE, 8 * MIB);
        long maxInFlight =
                section.value("max-in-flight", SIZE, HeapPlan.ofProcess().maxInFlight(maxBody));
        section.checkAtLeast("max-in-flight", maxInFlight, "max-body", maxBody, ByteSize::show);
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
                section.tls(),
                section.value("http2", ValueType.FLAG, false));
    }

    private static List<EndpointConfig> endpoints(Section receiver) {
        List<EndpointConfig> endpoints = new ArrayList<>();
        List<Section> sections = receiver.sections("endpoints", EndpointConfig.class);
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

    private static LoggingConfig logging(Section section) {
        return new LoggingConfig(section.value("level", ValueType.LOG_LEVEL, "info"));
    }

    private static JournalConfig journal(Section section, long maxBody) {
        long maxSize = section.value("max-size", SIZE, 50 * GIB);
        if (maxSize < MIN_JOURNAL) {
            section.problem("max-size", ByteSize.show(maxSize), "at least " + ByteSize.show(MIN_JOURNAL));
        } else {
            section.checkAtLeast("max-size", maxSize, "receiver.max-body", maxBody, ByteSize::show);
        }
        return new JournalConfig(
                section.directory("directory", Path.of("data")),
                section.value("retention", ValueType.AGE, Duration.ofDays(7)),
                maxSize,
                section.value("reserve", SIZE, GIB),
                section.value("set-aside", SET_ASIDE, 256 * MIB),
                section.value("sync-timeout", ValueType.TIMEOUT, Duration.ofSeconds(10)));
    }

    private static DeadLettersConfig deadLetters(Section section) {
        return new DeadLettersConfig(
                section.value("max-count", ValueType.count(1, 10_000_000), 100_000),
                section.value("max-age", ValueType.AGE, Duration.ofDays(30)));
    }

    private static QuarantineConfig quarantine(Section section) {
        long maxSize = section.value("max-size", QUARANTINE_SIZE, GIB);
        long maxBody = section.value("max-body", BODY_SIZE, MIB);
        section.checkAtLeast("max-size", maxSize, "max-body", maxBody, ByteSize::show);
        return new QuarantineConfig(maxSize, section.value("max-age", ValueType.AGE, Duration.ofDays(7)), maxBody);
    }

    private static PlatformConfig platform(Section section) {
        return new PlatformConfig(
                section.optional("client-field", ValueType.FIELD),
                section.value("visitor-updated-event", ValueType.EVENT, "visitor.updated"));
    }
}
