package dev.holdfast.token;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Prometheus's own verdict on the shipped alert, over what a token's life has in a scrape each minute. */
@Timeout(60)
class TokenAlertTest {
    private static final Path ALERTS = Path.of("conf/prometheus-alerts.yaml").toAbsolutePath();
    private static final int MINUTES = 300;

    @TempDir
    Path directory;

    private final Map<String, StringBuilder> series = new TreeMap<>();

    @BeforeEach
    void needsPromtool() {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(bin -> Files.isExecutable(Path.of(bin, "promtool"))),
                "found no promtool, of Debian's package prometheus");
    }

    @Test
    void aTokenThatIsRenewedInTimeAlertsNobody() throws Exception {
        try (TokenLife life = TokenLife.begun(directory.resolve("token"))) {
            live(life);

            assertThat(life.service.requests()).isEqualTo(4);
            check(Stream.iterate(0, minute -> minute < MINUTES, minute -> minute + 1)
                    .map(minute -> firing(minute, false))
                    .toList());
        }
    }

    @Test
    void aTokenThatCannotBeRenewedAlertsBeforeItEndsAndAfter() throws Exception {
        try (TokenLife life = new TokenLife(directory.resolve("token")).withCode()) {
            life.settings.renews = false;
            life.start().settle();
            live(life);

            check(List.of(firing(80, false), firing(110, true), firing(MINUTES - 1, true)));
        }
    }

    private void live(TokenLife life) {
        for (int minute = 0; minute < MINUTES; minute++) {
            life.registry
                    .scrape()
                    .lines()
                    .filter(line ->
                            line.startsWith("holdfast_token_state") || line.startsWith("holdfast_token_expires"))
                    .forEach(line -> series.computeIfAbsent(
                                    line.substring(0, line.lastIndexOf(' ')), name -> new StringBuilder())
                            .append(line.substring(line.lastIndexOf(' '))));
            life.pass(Duration.ofMinutes(1));
        }
    }

    private static String firing(int minute, boolean expected) {
        return """
                      - eval_time: %dm
                        expr: count(ALERTS{alertname="HoldfastTokenEnds", alertstate="firing"})
                        exp_samples: [%s]
                """.formatted(minute, expected ? "{value: 1}" : "");
    }

    private void check(List<String> expected) throws IOException, InterruptedException {
        StringBuilder test = new StringBuilder("rule_files: [" + ALERTS + "]\nevaluation_interval: 1m\ntests:\n");
        test.append("  - interval: 1m\n    input_series:\n");
        series.forEach((name, values) -> test.append("      - {series: '")
                .append(name)
                .append("', values: '")
                .append(values)
                .append("'}\n"));
        test.append("    promql_expr_test:\n");
        expected.forEach(test::append);
        Path file = Files.writeString(directory.resolve("test.yaml"), test);
        Process promtool = new ProcessBuilder("promtool", "test", "rules", file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(promtool.getInputStream().readAllBytes(), UTF_8);

        assertThat(promtool.waitFor()).as(said).isZero();
    }
}
