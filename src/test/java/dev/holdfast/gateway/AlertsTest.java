package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is shipped for Prometheus and Grafana, and the guide, name metrics and labels that there are. */
@Timeout(60)
class AlertsTest {
    private static final Path ALERTS = Path.of("conf/prometheus-alerts.yaml");
    private static final Path DASHBOARD = Path.of("conf/grafana-dashboard.json");
    private static final Path GUIDE = Path.of("src/site/markdown/operating.md");

    private static final Pattern METRIC =
            Pattern.compile("\\b((?:holdfast|process|jvm|system)_[a-z_]+)(?:\\{([^}]*)})?");
    private static final Pattern MATCHED_LABEL = Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)");
    private static final Pattern GROUPED = Pattern.compile("\\b(?:by|on)\\s*\\(([^)]*)\\)");
    /** Prometheus gives each series these. */
    private static final Set<String> OF_PROMETHEUS = Set.of("instance", "job");

    private static final Pattern IN_GUIDE = Pattern.compile("`(holdfast_[a-z_]+)");

    private static final Pattern ALERT_ON = Pattern.compile("(?m)^\\| `(holdfast_[a-z_]+)`.*: alert on it \\|$");

    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();

    /** Of a gateway that has all that there are metrics of. */
    private Scrape scrape() {
        GatewaySettings settings = new GatewaySettings()
                .consumer("mine", "*", deliveries)
                .section("token: {base-url: \"http://127.0.0.1:9\", app-id: app, app-secret: the app secret}");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            gateway.push(envelope("client.created", 1));
            gateway.send(request(bytes(envelope("client.created", 2))));
            eventually(() -> assertThat(gateway.metric("holdfast_consumer_delivered_total"))
                    .isEqualTo(1));
            return Scrape.of(gateway.management("/metrics").body());
        }
    }

    @Test
    void eachMetricAndLabelThatAlertsAndDashboardNameIsInAScrape() throws IOException {
        Scrape scrape = scrape();
        List<String> expressions = new ArrayList<>();
        new YAMLMapper()
                .readTree(ALERTS.toFile())
                .findValues("expr")
                .forEach(expression -> expressions.add(expression.asText()));
        JsonNode dashboard = new JsonMapper().readTree(DASHBOARD.toFile());
        dashboard.findValues("expr").forEach(expression -> expressions.add(expression.asText()));

        assertThat(expressions).hasSizeGreaterThan(40);
        assertThat(expressions).allSatisfy(expression -> check(expression, scrape));
    }

    private static void check(String expression, Scrape scrape) {
        Set<String> known = new TreeSet<>(OF_PROMETHEUS);
        Matcher metric = METRIC.matcher(expression);
        while (metric.find()) {
            assertThat(scrape.names()).as(expression).contains(metric.group(1));
            Set<String> labels = scrape.labelsOf(metric.group(1));
            known.addAll(labels);
            Matcher label = MATCHED_LABEL.matcher(metric.group(2) == null ? "" : metric.group(2));
            while (label.find()) {
                assertThat(labels.contains(label.group(1)) || OF_PROMETHEUS.contains(label.group(1)))
                        .as("%s in %s", label.group(1), expression)
                        .isTrue();
            }
        }
        Matcher grouped = GROUPED.matcher(expression);
        while (grouped.find()) {
            assertThat(known).as(expression).contains(grouped.group(1).split(",\\s*"));
        }
    }

    @Test
    void whatTheGuideSaysToAlertOnHasAnAlert() throws IOException {
        String alerts = Files.readString(ALERTS);
        Matcher row = ALERT_ON.matcher(Files.readString(GUIDE));

        assertThat(row.results().map(found -> found.group(1)))
                .isNotEmpty()
                .allSatisfy(metric -> assertThat(alerts).contains(metric));
    }

    @Test
    void theGuideNamesEachMetricAndNoneThatThereIsNot() throws IOException {
        Scrape scrape = scrape();
        String guide = Files.readString(GUIDE);
        Set<String> named = new TreeSet<>();
        Matcher found = IN_GUIDE.matcher(guide);
        while (found.find()) {
            named.add(found.group(1));
        }
        Set<String> there = new TreeSet<>();
        scrape.names().stream()
                .filter(name -> name.startsWith("holdfast_"))
                .map(name -> name.replaceFirst("_seconds_(bucket|sum|count|max)$", "_seconds")
                        .replaceFirst("_pushes_(sum|count|max)$", "_pushes"))
                .forEach(there::add);
        // Nothing was given up or evicted here, so there is no series of it.
        there.add("holdfast_store_dead_letters_evicted_total");

        assertThat(named).isEqualTo(there);
    }

    @ParameterizedTest
    @CsvSource({"check, conf/prometheus-alerts.yaml", "test, src/test/resources/prometheus-alerts-test.yaml"})
    void promtoolFindsTheRulesInOrder(String verb, String file) throws IOException, InterruptedException {
        assumeTrue(
                List.of(System.getenv("PATH").split(":")).stream()
                        .anyMatch(bin -> Files.isExecutable(Path.of(bin, "promtool"))),
                "found no promtool, of Debian's package prometheus");
        Process promtool = new ProcessBuilder("promtool", verb, "rules", file)
                .redirectErrorStream(true)
                .start();
        String said = new String(promtool.getInputStream().readAllBytes(), UTF_8);

        assertThat(promtool.waitFor()).as(said).isZero();
        assertThat(said).contains("SUCCESS");
    }
}
