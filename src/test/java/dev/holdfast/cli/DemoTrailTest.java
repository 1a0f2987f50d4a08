package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.Envelope;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DemoTrailTest {
    private static final String OWN = "clients";
    private static final String CRM = "crm";

    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
    private final PrintWriter out = new PrintWriter(shown, true, StandardCharsets.UTF_8);
    private final DemoTrail trail =
            new DemoTrail(new CliEnvironment(InputStream.nullInputStream(), out, shown, out, Map.of(), false));

    private PushRecord published(long seq, String event) {
        PushRecord push = new PushRecord(
                seq,
                "demo",
                new Envelope("sub_t_" + seq, event, "t", null, null),
                System.currentTimeMillis(),
                new RequestHead("", "", "", ""),
                new byte[0]);
        trail.published(push);
        return push;
    }

    private String shown() {
        trail.show();
        return shown.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aPushCountsAsHandledOnceAllOfItsConsumersHaveHandledIt() {
        PushRecord push = published(1, "client.created");
        trail.handled(push, OWN);
        trail.failed(push, CRM, 1);
        assertThat(trail.summary()).isEqualTo("1 push accepted, 0 handled");

        trail.handled(push, CRM);
        assertThat(trail.summary()).isEqualTo("1 push accepted, 1 handled");
        assertThat(shown().lines()).last().asString().endsWith("1/1").contains("handled by crm");
    }

    @Test
    void thatOfATopicWhichTheCrmDoesNotGetWaitsForItsOwnConsumerAlone() {
        trail.handled(published(1, "visitor.updated"), OWN);

        assertThat(trail.summary()).isEqualTo("1 push accepted, 1 handled");
    }

    @Test
    void aDeadLetterIsHandledOnceItWasRetried() {
        PushRecord push = published(1, "client.created");
        trail.handled(push, OWN);
        trail.refusedByCrm(1);
        trail.failed(push, CRM, 1);
        assertThat(trail.summary()).isEqualTo("1 push accepted, 0 handled, 1 dead letter");

        trail.handled(push, CRM);
        assertThat(trail.summary()).isEqualTo("1 push accepted, 1 handled");
    }

    @Test
    void aReplayCountsNothingAgain() {
        PushRecord push = published(1, "visitor.updated");
        trail.handled(push, OWN);
        trail.handled(push, OWN);

        assertThat(trail.summary()).isEqualTo("1 push accepted, 1 handled");
    }
}
