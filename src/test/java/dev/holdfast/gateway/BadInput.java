package dev.holdfast.gateway;

import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.sign;
import static dev.holdfast.gateway.GatewayUnderTest.signed;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A row of the tables in the guide's page on bad inputs, which says how a request is written there.
 *
 * @param request what goes over the wire, a char for each byte
 * @param ends whether the client ends its half of the connection behind it
 * @param answers the statuses, in their order
 * @param closes whether the gateway ends the connection with the last answer
 * @param kept what the journal has of it afterwards, in its order
 */
record BadInput(String what, String request, boolean ends, List<Integer> answers, boolean closes, List<Kept> kept) {
    /** @param body a char for each byte */
    record Kept(String body, boolean unreadable) {}

    private static final Path GUIDE = Path.of("src/site/markdown/bad-inputs.md");
    private static final Pattern ROW =
            Pattern.compile("\\| (.+?) \\| `(.*)` \\| ([0-9, ]+|none) \\| (ends|open) \\| ([a-z, ]+) \\|");
    private static final Pattern REPEATED = Pattern.compile("\\{(\\d+) \\* ([^}]+)}");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:([rnt0\\\\])|x([0-9a-f]{2}))");
    private static final String ALL_SENT = "{end}";

    static List<BadInput> ofGuide() {
        try {
            AtomicInteger number = new AtomicInteger(1000);
            return Files.readAllLines(GUIDE).stream()
                    .map(ROW::matcher)
                    .filter(Matcher::matches)
                    .map(row -> of(row, number.incrementAndGet()))
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static BadInput of(Matcher row, int number) {
        String written = row.group(2);
        boolean ends = written.endsWith(ALL_SENT);
        String template = unescaped(repeated(written.replace(ALL_SENT, "")));
        String push = text(signed(envelope("client.smuggled", number)));
        String body = envelope("client.created", number);
        if (!template.contains("{body}") && !template.contains("{chunk}")) {
            String whole = filled(template, body, push);
            int head = whole.indexOf("\r\n\r\n");
            body = head < 0 ? "" : whole.substring(head + 4);
        }
        List<Integer> answers = row.group(3).equals("none")
                ? List.of()
                : Arrays.stream(row.group(3).split(", ")).map(Integer::valueOf).toList();
        String sent = body;
        List<Kept> kept = Arrays.stream(row.group(5).split(", "))
                .filter(what -> !what.equals("no"))
                .map(what -> switch (what) {
                    case "yes" -> new Kept(sent, false);
                    case "unreadable" -> new Kept(sent, true);
                    case "push" -> new Kept(envelope("client.smuggled", number), false);
                    default ->
                        throw new IllegalArgumentException(
                                row.group(1) + ": found \"" + what + "\", expected no, yes, unreadable or push");
                })
                .toList();
        return new BadInput(
                row.group(1),
                filled(template, body, push),
                ends,
                answers,
                row.group(4).equals("ends"),
                kept);
    }

    private static String repeated(String written) {
        return REPEATED.matcher(written)
                .replaceAll(times -> Matcher.quoteReplacement(times.group(2).repeat(Integer.parseInt(times.group(1)))));
    }

    /** A char for each byte from here on. */
    private static String unescaped(String written) {
        return ESCAPE.matcher(text(bytes(written))).replaceAll(escape -> Matcher.quoteReplacement(byteOf(escape)));
    }

    private static String byteOf(java.util.regex.MatchResult escape) {
        if (escape.group(1) == null) {
            return String.valueOf((char) Integer.parseInt(escape.group(2), 16));
        }
        return switch (escape.group(1)) {
            case "r" -> "\r";
            case "n" -> "\n";
            case "t" -> "\t";
            case "0" -> "\0";
            default -> "\\";
        };
    }

    private static String filled(String template, String body, String push) {
        String signature = sign(body.getBytes(ISO_8859_1));
        return template.replace("{head}", "{line}{host}{sig}{len}\r\n")
                .replace("{line}", "POST /webhook HTTP/1.1\r\n")
                .replace("{host}", "Host: gateway\r\n")
                .replace("{te}", "Transfer-Encoding: chunked\r\n")
                .replace(
                        "{h2c}",
                        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n")
                .replace("{sig}", "Service-Signature: {sha}\r\n")
                .replace("{sha}", signature)
                .replace("{len}", "Content-Length: " + body.length() + "\r\n")
                .replace("{chunk}", Integer.toHexString(body.length()) + "\r\n{body}\r\n")
                .replace("{last}", "0\r\n\r\n")
                .replace("{push}", push)
                .replace("{body}", body);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, ISO_8859_1);
    }

    @Override
    public String toString() {
        return what;
    }
}
