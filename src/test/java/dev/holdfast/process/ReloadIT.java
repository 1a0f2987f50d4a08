package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is changed under a gateway that runs. */
@Timeout(900)
final class ReloadIT {
    @TempDir
    Path directory;

    private final PushClient client = new PushClient();
    private Installation installation;

    @BeforeEach
    void install() throws IOException {
        installation = new Installation(directory);
        installation.configureAsShipped();
    }

    @AfterEach
    void remove() {
        installation.close();
    }

    private int status(Child gateway, String secret) throws Exception {
        return client.send(gateway.webhook(), secret, "conversation.created", 0).statusCode();
    }

    @Test
    void secretsRotateWhileRunningWithoutALostPush() throws Exception {
        String next = "the-next-secret-of-these-tests-77aa";
        installation.keepSecret(next);
        installation.set("NEXT", next);
        Child gateway = installation.running();
        Traffic traffic = Traffic.start(gateway.webhook(), Installation.SECRET, 200, 0);
        traffic.awaitAnswers(100);
        assertThat(status(gateway, next)).isEqualTo(401);

        installation.edit("[\"${HOLDFAST_SECRET}\"]", "[\"${HOLDFAST_SECRET}\", \"${NEXT}\"]");
        Await.until("the next secret is accepted", () -> status(gateway, next) == 200);
        traffic.stop();
        assertThat(traffic.sent()).allSatisfy(push -> assertThat(push.status()).isEqualTo(200));

        installation.edit("[\"${HOLDFAST_SECRET}\", \"${NEXT}\"]", "[\"${NEXT}\"]");
        Await.until("the old secret is refused", () -> status(gateway, Installation.SECRET) == 401);
        assertThat(status(gateway, next)).isEqualTo(200);
    }

    /** Unasked a bad file is told once, and one that is in force not at all. */
    @Test
    void aHangUpDuringTheStartDoesNotEndIt() throws Exception {
        installation.configure("");
        Child gateway = installation.run();
        gateway.awaitLog("configuration:");
        gateway.signal("HUP");
        gateway.awaitReady();
        gateway.awaitLog("nothing in the configuration differs from what is in force");

        assertThat(status(gateway, Installation.SECRET)).isEqualTo(200);
    }

    @Test
    void aHangUpReadsTheConfigurationAtOnceChangedOrNot() throws Exception {
        Child gateway = installation.running();
        gateway.signal("HUP");
        gateway.awaitLog("nothing in the configuration differs from what is in force");

        installation.edit("signature-header:", "signature-haeder:");
        Await.until("the bad file is refused", () -> refusals(gateway) == 1);
        gateway.awaitLog("the changed configuration is refused and the one before stays in force");
        gateway.awaitLog("conf/holdfast\\.yaml:\\d+: .*signature-haeder");
        gateway.signal("HUP");
        Await.until("it is refused again", () -> refusals(gateway) == 2);
        assertThat(status(gateway, Installation.SECRET)).isEqualTo(200);

        installation.edit("signature-haeder:", "signature-header:");
        installation.edit("  level: info", "  level: debug");
        gateway.signal("HUP");
        gateway.awaitLog("the log's level is debug now");
        gateway.awaitLog("the changed configuration is in force");
        assertThat(status(gateway, Installation.SECRET)).isEqualTo(200);
    }

    private static long refusals(Child gateway) {
        return gateway.err().lines().stream()
                .filter(line -> line.contains("the changed configuration is refused"))
                .count();
    }
}
