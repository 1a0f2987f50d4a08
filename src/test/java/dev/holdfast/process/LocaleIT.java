package dev.holdfast.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In containers and services no locale is set: Java knows no characters but ASCII's then. */
final class LocaleIT {
    private static final String BODY =
            "{\"id\":\"größe_1\",\"event\":\"client.größe\",\"client\":{\"name\":\"Jürgen 客户\"}}";

    @TempDir
    Path directory;

    private final PushClient client = new PushClient();
    private Installation installation;

    @BeforeEach
    void install() throws IOException {
        installation = new Installation(directory);
        installation.set("LC_ALL", "POSIX");
    }

    @AfterEach
    void remove() {
        installation.close();
    }

    @Test
    void noCharacterIsLostInWhatIsWritten() throws Exception {
        installation.configureAsShipped();
        Child gateway = installation.running();
        assertThat(client.send(gateway.webhook(), Installation.SECRET, BODY.getBytes(UTF_8))
                        .statusCode())
                .isEqualTo(200);
        gateway.awaitLog("client.größe seq=1");
        String management = "--management=" + gateway.management("/");

        for (String form : new String[] {"text", "json"}) {
            Child list = installation.start("pushes", "list", management, "--output=" + form);
            assertThat(list.awaitExit()).isZero();
            assertThat(list.output()).contains("client.größe", "größe_1");
        }
        Child get = installation.start("pushes", "get", "1", management);
        assertThat(get.awaitExit()).isZero();
        assertThat(get.output()).contains(BODY);
    }

    @Test
    void aPathThatItCanNotWriteIsNamed() throws Exception {
        installation.configure("  directory: datä\n");
        Child gateway = installation.run();
        assertThat(gateway.awaitExit()).isEqualTo(1);
        assertThat(gateway.output())
                .contains(
                        "journal.directory: found \"datä\", expected a path that this locale can write, as LC_ALL=C.UTF-8 can all");
    }
}
