package dev.holdfast.cli;

import dev.holdfast.config.Secret;
import java.net.URI;
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

    ManagementClient client(Map<String, String> environment) {
        String bearer = token != null ? token : environment.getOrDefault(VARIABLE, "");
        return new ManagementClient(address(), bearer.isEmpty() ? null : new Secret(bearer));
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
