package dev.holdfast.cli;

import dev.holdfast.simulator.Silence;
import dev.holdfast.simulator.Summary;

/** What to do about pushes that were not answered as they should have been, a line a cause. */
final class SimulationAdvice {
    private SimulationAdvice() {}

    static String of(Summary summary) {
        StringBuilder lines = new StringBuilder();
        summary.silences().keySet().forEach(cause -> add(lines, cause + ": " + about(cause)));
        summary.statuses().keySet().forEach(status -> add(lines, about(status)));
        return lines.toString();
    }

    private static void add(StringBuilder lines, String advice) {
        lines.append(advice.isEmpty() ? "" : System.lineSeparator() + "  " + advice);
    }

    private static String about(Silence cause) {
        return switch (cause) {
            case REFUSED -> "nobody listens there. Is the gateway running, and is --to's port its receiver.port?";
            case UNREACHABLE -> "the host can't be found or reached. Is --to's host right?";
            case RESET ->
                "the connection ended before the answer. Is it https:// that is expected there? Else the gateway's log"
                        + " says why.";
            case TIMED_OUT -> "no answer within --timeout. Does the gateway's disk keep up, or is a firewall between?";
            case UNSENT -> "no connection came free within --timeout: a lower --rate, or more --connections.";
            case UNTRUSTED ->
                "this Java doesn't trust the certificate. Trust any with --insecure, or name its authority with java"
                        + " -Djavax.net.ssl.trustStore=FILE.";
            case UNINTELLIGIBLE -> "what came was no HTTP answer, or TLS failed. Is it http:// that is expected there?";
        };
    }

    private static String about(int status) {
        return switch (status) {
            case 401 ->
                "401: the signature doesn't match. The secret has to be one of the endpoint's, and --signature-header its"
                        + " signature-header.";
            case 404 -> "404: no endpoint has this path. Is it that of the configuration, such as /webhook?";
            case 413 -> "413: bodies are larger than the gateway's receiver.max-body.";
            case 503 -> "503: the gateway could not store them. Its log and /readyz say why.";
            default -> "";
        };
    }
}
