package dev.holdfast.cli;

import dev.holdfast.config.Secret;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say which running gateway is meant, for every verb that talks to one. */
final class ManagementAddress {
    private static final String VARIABLE = "HOLDFAST_MANAGEMENT_TOKEN";

    @Spec(Target.MIXEE)
    private CommandSpec verb = CommandSpec.create();

    @Option(
            names = "--management",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8081",
            description = "The running gateway's management port.%nDefault: ${DEFAULT-VALUE}")
    private String url = "http://127.0.0.1:8081";

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "The management token, which others on this machine can see while the command runs. Default:"
                    + " the environment variable " + VARIABLE + ", when it is set.")
    private @Nullable String token;

    @Option(
            names = "--trust",
            paramLabel = "FILE",
            description = "A PEM file with the certificates to trust for https. Default: those that Java trusts.")
    private @Nullable Path trust;

    ManagementClient client(Map<String, String> environment) throws IOException {
        String bearer = token != null ? token : environment.getOrDefault(VARIABLE, "");
        return new ManagementClient(
                address(),
                bearer.isEmpty() ? null : new Secret(bearer),
                trust == null ? null : TrustedCertificates.of(trust));
    }

    private URI address() {
        try {
            URI address = URI.create(url.replaceFirst("/+$", ""));
            boolean web = "http".equalsIgnoreCase(address.getScheme()) || "https".equalsIgnoreCase(address.getScheme());
            if (web && address.getHost() != null) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            throw wrong();
        }
        throw wrong();
    }

    private ParameterException wrong() {
        return new ParameterException(
                verb.commandLine(), "--management: found no URL, expected one such as http://127.0.0.1:8081");
    }
}
