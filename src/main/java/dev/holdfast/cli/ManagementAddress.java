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
    private static final String VARIABLE = "HOLDFAST_MANAGEMENT";
    private static final String TOKEN_VARIABLE = "HOLDFAST_MANAGEMENT_TOKEN";
    private static final String DEFAULT = "http://127.0.0.1:8081";

    @Spec(Target.MIXEE)
    private CommandSpec verb = CommandSpec.create();

    @Option(
            names = "--management",
            paramLabel = "URL",
            description = "The running gateway's management port. Default: the environment variable " + VARIABLE
                    + ", when it is set, else " + DEFAULT)
    private @Nullable String url;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "The management token, which others on this machine can see while the command runs. Default:"
                    + " the environment variable " + TOKEN_VARIABLE + ", when it is set.")
    private @Nullable String token;

    @Option(
            names = "--trust",
            paramLabel = "FILE",
            description = "A PEM file with the certificates to trust for https. Default: those that Java trusts.")
    private @Nullable Path trust;

    ManagementClient client(Map<String, String> environment) throws IOException {
        return new ManagementClient(
                address(environment), bearer(environment), trust == null ? null : TrustedCertificates.of(trust));
    }

    private @Nullable Secret bearer(Map<String, String> environment) {
        String given = token != null ? token : environment.getOrDefault(TOKEN_VARIABLE, "");
        Secret bearer = given.isEmpty() ? null : new Secret(given);
        if (bearer != null && !bearer.isHeaderValue()) {
            throw new ParameterException(
                    verb.commandLine(),
                    (token == null ? TOKEN_VARIABLE : "--token")
                            + ": found a token that is not shown, expected visible ASCII, with blanks only inside");
        }
        return bearer;
    }

    /** What another command line needs to ask the same gateway: {@code " --management URL"}, or nothing. */
    String repeated(Map<String, String> environment) {
        return url == null || url.equals(usual(environment)) ? "" : " --management " + url;
    }

    private static String usual(Map<String, String> environment) {
        String variable = environment.getOrDefault(VARIABLE, "");
        return variable.isEmpty() ? DEFAULT : variable;
    }

    private URI address(Map<String, String> environment) {
        try {
            String given = url == null ? usual(environment) : url;
            URI address = URI.create(given.replaceFirst("/+$", ""));
            boolean web = "http".equalsIgnoreCase(address.getScheme()) || "https".equalsIgnoreCase(address.getScheme());
            if (address.getRawUserInfo() != null) {
                throw wrong("a URL with a user in it, which is not shown");
            }
            if (web && address.getHost() != null) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            throw wrong("no URL");
        }
        throw wrong("no URL");
    }

    private ParameterException wrong(String found) {
        return new ParameterException(
                verb.commandLine(),
                (url == null ? VARIABLE : "--management") + ": found " + found + ", expected one such as " + DEFAULT);
    }
}
