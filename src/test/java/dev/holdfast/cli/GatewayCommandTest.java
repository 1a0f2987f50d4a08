package dev.holdfast.cli;

import static dev.holdfast.cli.HoldfastCommandTest.lines;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the verbs that ask a gateway refuse, and what they say of an address where there is none. */
class GatewayCommandTest {
    /** Nobody is asked: nobody listens there. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            consumers get _           | NAME: found nothing, expected a consumer's name
            consumers get .           | NAME: found ., expected a consumer's name
            consumers get ..          | NAME: found .., expected a consumer's name
            consumers pause _         | NAME: found nothing, expected a consumer's name
            consumers resume ..       | NAME: found .., expected a consumer's name
            dead-letters get _ 7      | CONSUMER: found nothing, expected a consumer's name
            pushes replay --stop _    | --stop: found nothing, expected the identifier of a replay
            pushes replay --stop .    | --stop: found ., expected the identifier of a replay
            """)
    void refusesAnArgumentThatLeadsToAnotherPath(String line, String mistake) {
        CommandLineRun run = run("http://127.0.0.1:1", line.split(" "));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith(lines("holdfast: " + mistake));
    }

    /** With {@code _} for an argument that is empty. */
    private static CommandLineRun run(String gateway, String... words) {
        return CommandLineRun.of(Stream.concat(Stream.of(words), Stream.of("--management", gateway))
                .map(word -> word.equals("_") ? "" : word)
                .toArray(String[]::new));
    }
}
