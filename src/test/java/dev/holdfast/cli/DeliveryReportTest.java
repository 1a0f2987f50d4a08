package dev.holdfast.cli;

import static dev.holdfast.cli.HoldfastCommandTest.lines;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.holdfast.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code pushes get} says of push 7 at a consumer, whatever became of it. */
class DeliveryReportTest {
    private static String report(String deliveries) throws Exception {
        StringWriter out = new StringWriter();
        new DeliveryReport(new PrintWriter(out, true), new Terminal(Map.of(), false), words -> "holdfast " + words)
                .print(new JsonMapper().readTree(deliveries), "7");
        return out.toString();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            handled        |                                           | the consumer is past it, and it neither waits nor is a dead letter |
            waiting        |                                           | its turn has not come                                            | more: holdfast consumers get mine
            waiting        | ,"reason":"the consumer is paused"        | the consumer is paused                                           | more: holdfast consumers get mine
            under-way      |                                           | the consumer has it |
            blocked        | ,"attempts":1,"nextAttemptAt":"2026-11-28T10:11:12Z" | failed after 1 attempt, the next at 2026-11-28T10:11:12Z | more: holdfast consumers get mine
            blocked        | ,"attempts":3                             | failed after 3 attempts; the next when its turn comes            | more: holdfast consumers get mine
            blocked        | ,"attempts":3,"reason":"the consumer is paused" | failed after 3 attempts; the consumer is paused            | more: holdfast consumers get mine
            behind         | ,"behindSeq":5                            | waits in its lane behind push 5, which fails                     | why: holdfast pushes get 5
            behind         | ,"behindSeq":5,"reason":"the consumer is paused" | waits in its lane behind push 5, which fails; the consumer is paused | why: holdfast pushes get 5
            dead           | ,"attempts":9,"lastFailedAt":"2026-11-28T10:11:12Z" | a dead letter after 9 attempts, the last at 2026-11-28T10:11:12Z | again, when what it says is mended: holdfast dead-letters retry --consumer mine --seq 7
            discarded      | ,"reason":"of a test"                     | was a dead letter, and was discarded: of a test                  | to deliver it all the same: holdfast pushes replay --from 7 --to 7 --consumer mine
            not-subscribed |                                           | no pattern of its events matches |
            not-subscribed | ,"reason":"it can't be read"              | it can't be read |
            before-start   |                                           | older than where the consumer started                            | to deliver it all the same: holdfast pushes replay --from 7 --to 7 --consumer mine
            """)
    void eachStateIsSaidWithWhatToDo(String state, String more, String said, String action) throws Exception {
        String status = "[{\"consumer\":\"mine\",\"state\":\"" + state + "\"" + (more == null ? "" : more) + "}]";

        assertThat(report(status))
                .isEqualTo(lines("mine  " + state + ": " + said) + (action == null ? "" : lines("      " + action)));
    }

    @Test
    void whatItFailedWithStandsBetween() throws Exception {
        assertThat(report("""
                [{"consumer":"a","state":"handled"},
                 {"consumer":"longer","state":"blocked","attempts":2,"lastError":"answered 503"}]"""))
                .isEqualTo(lines(
                        "a       handled: the consumer is past it, and it neither waits nor is a dead letter",
                        "longer  blocked: failed after 2 attempts; the next when its turn comes",
                        "        answered 503",
                        "        more: holdfast consumers get longer"));
    }

    @Test
    void withoutConsumersThatIsSaid() throws Exception {
        assertThat(report("[]")).isEqualTo(lines("no consumer is configured"));
    }
}
