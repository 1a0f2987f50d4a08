package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LogLines;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where a gateway says that it listens. */
@Timeout(60)
class AddressTest {
    @TempDir
    Path directory;

    /** Without them the port could be a part of the address. */
    @Test
    void anAddressOfIpv6IsWrittenWithItsBrackets() throws Exception {
        GatewaySettings settings = new GatewaySettings().management("host: \"::1\"");
        try (LogLines log = LogLines.atTrace();
                GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            String address = "[::1]:" + gateway.managementPort();
            assertThat(log.text())
                    .contains("accepting pushes on 127.0.0.1:" + gateway.port() + ", management on " + address);

            settings.management("port: " + gateway.managementPort());
            Path other = Files.createDirectory(directory.resolve("other"));
            assertThatThrownBy(() -> GatewayUnderTest.start(settings, other))
                    .hasMessage(
                            "management.host and port: can't listen on " + address + ": the port is in use already");
        }
    }

    /** One of RFC 5737, which no machine has. */
    @Test
    void anAddressOfAnotherMachineIsNamedForWhatItIs() {
        GatewaySettings settings = new GatewaySettings()
                .management("host: 192.0.2.1")
                .management("insecure: true")
                .management("token: 0123456789abcdef0123456789abcdef");

        assertThatThrownBy(() -> GatewayUnderTest.start(settings, directory))
                .hasMessage(
                        "management.host and port: can't listen on 192.0.2.1:0: this machine doesn't have the address");
    }
}
