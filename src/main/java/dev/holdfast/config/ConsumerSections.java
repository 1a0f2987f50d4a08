package dev.holdfast.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes the {@link ConsumerConfig}s out of their sections, and has each checked by the {@link ConsumerCheck}. */
final class ConsumerSections {
    /** The shipped consumer that may have only one instance: two would write to the same files. */
    private static final String ONE_WRITER = "file";

    private static final String FORWARDER = "http";

    private final ConsumerCheck check;
    private final List<EndpointConfig> endpoints;
    private final Path plugins;
    private final JudgedFiles files;

    ConsumerSections(ConsumerCheck check, List<EndpointConfig> endpoints, Path plugins, JudgedFiles files) {
        this.check = check;
        this.endpoints = endpoints;
        this.plugins = plugins;
        this.files = files;
    }

    List<ConsumerConfig> read(Section root) {
        List<ConsumerConfig> consumers = new ArrayList<>();
        Uniqueness names = new Uniqueness("name");
        for (Section section : root.sections("consumers", ConsumerConfig.class)) {
            int before = section.problems();
            ConsumerConfig consumer = consumer(section);
            names.check(section, consumer.name());
            boolean whole = section.problems() == before && NamedFiles.directory(plugins) == null;
            consumers.add(whole ? checked(section, consumer) : consumer);
        }
        return consumers;
    }

    private ConsumerConfig checked(Section section, ConsumerConfig consumer) {
        Map<Path, String> named = new HashMap<>();
        try {
            check.check(consumer, endpoints, plugins, file -> named.put(file, files.add(file)));
        } catch (OptionMistake e) {
            section.problemBelow("options", e.key(), e.text());
        } catch (IllegalArgumentException e) {
            section.problem("verticle", String.valueOf(e.getMessage()));
        }
        return consumer.with(named);
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
                events(section),
                verticle,
                section.value("start", ValueType.START, ConsumerConfig.Start.EARLIEST),
                section.values("order-by", ValueType.POINTER, List.of()),
                section.value("concurrency", ValueType.count(1, 1024), ConsumerConfig.USUAL_CONCURRENCY),
                instances,
                section.value("threading", ValueType.THREADING, usualThreading(verticle)),
                section.value("timeout", ValueType.TIMEOUT, Duration.ofSeconds(30)),
                retry(section.section("retry", RetryConfig.class)),
                section.value("hold", ValueType.AGE, Duration.ofDays(14)),
                section.free("options", verticle.equals(FORWARDER) || verticle.equals(ONE_WRITER)),
                Map.of());
    }

    private static List<String> events(Section section) {
        List<String> events = section.values("events", ValueType.EVENT_PATTERN);
        for (int i = 0; i < events.size(); i++) {
            String event = events.get(i);
            if (!event.contains(".") && !event.equals("*")) {
                section.warning(
                        "events",
                        i,
                        event,
                        event + ".* if its family is meant: only an event of just this name matches");
            }
        }
        return events;
    }

    /** Default of {@code threading}: the shipped forwarder never blocks; any other consumer may. */
    private static ConsumerConfig.Threading usualThreading(String verticle) {
        return verticle.equals(FORWARDER) ? ConsumerConfig.Threading.EVENT_LOOP : ConsumerConfig.Threading.WORKER;
    }

    private static RetryConfig retry(Section section) {
        Duration firstDelay = section.value("first-delay", ValueType.TIMEOUT, Duration.ofMillis(200));
        Duration maxDelay = section.value("max-delay", ValueType.TIMEOUT, Duration.ofMinutes(1));
        section.checkAtLeast("max-delay", maxDelay, "first-delay", firstDelay, TimeSpan::show);
        return new RetryConfig(
                firstDelay,
                section.value("factor", ValueType.number(1, 100), 2.0),
                maxDelay,
                section.value("jitter", ValueType.number(0, 1), 0.5),
                section.optional("max-attempts", ValueType.count(1, 1_000_000)),
                section.value("max-age", ValueType.TIMEOUT, Duration.ofDays(3)));
    }
}
