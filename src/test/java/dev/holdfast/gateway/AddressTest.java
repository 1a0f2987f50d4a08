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
                    .hasMessage("management.port: can't listen on " + address + ": the port is in use already");
        }
    }
}
