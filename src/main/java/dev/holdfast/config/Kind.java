package dev.holdfast.config;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A kind of single value: how it is read from its text, and what an error says was expected.
 *
 * @param secret whether the text must never be shown
 */
record Kind<T>(String expected, boolean secret, Reader<T> reader) {
    private static final Pattern HOST_NAME = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*\\.?");
    private static final Pattern LIKE_IPV6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
    private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    /** What a request has for reasons of its own (RFC 9110, RFC 9112), or what is between two machines only. */
    private static final Set<String> HTTP_HEADERS = Set.of(
            "accept",
            "accept-charset",
            "accept-encoding",
            "accept-language",
            "connection",
            "content-encoding",
            "content-language",
            "content-length",
            "content-location",
            "content-range",
            "content-type",
            "date",
            "expect",
            "host",
            "http2-settings",
            "keep-alive",
            "max-forwards",
            "proxy-authorization",
            "proxy-connection",
            "range",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "user-agent",
            "via");

    private static final Pattern WHOLE_NUMBER = Pattern.compile("\\d{1,9}");

    private static final int VIRTUAL_THREADS_SINCE = 21;

    static final Kind<String> NAME =
            matching("a name of letters, digits, '.', '_' and '-'", "[A-Za-z0-9][A-Za-z0-9._-]*");
    static final Kind<String> HOST = matching("a host name or address", "[^\\s/\"]+");
    static final Kind<String> HOST_WITHOUT_PORT =
            new Kind<>("a host name or address without a port, such as gateway.internal", false, Kind::hostWithoutPort);
    static final Kind<String> URL_PATH = matching(
            "a path such as /webhook", "/|(/(?!\\.{1,2}(/|$))([A-Za-z0-9._~!$&'()+,;=@-]|%[0-9A-Fa-f]{2})+)+/?");
    static final Kind<String> SIGNATURE_HEADER =
            new Kind<>("a header's name such as Service-Signature", false, Kind::signatureHeader);
    static final Kind<String> EVENT = matching("an event such as visitor.updated", "[^\\s*.]+(\\.[^\\s*.]+)*");
    static final Kind<String> EVENT_PATTERN = matching(EventForm.EXPECTED, EventForm.REGEX);
    static final Kind<String> POINTER = matching("a JSON pointer such as /conversation/id", "(/([^~/]|~[01])*)+");
    static final Kind<String> FIELD = matching("a field's name", ".+");
    static final Kind<String> VERTICLE =
            matching("a shipped consumer's short name or a class name", "[A-Za-z_$][\\w$-]*(\\.[A-Za-z_$][\\w$]*)*");
    static final Kind<String> APP_ID = matching("an application's identifier", ".+");
    static final Kind<String> TEXT = new Kind<>("a value", false, text -> text);
    static final Kind<Path> PATH = new Kind<>("a path", false, Kind::path);
    static final Kind<Integer> PORT = new Kind<>("a port from 0 to 65535", false, Kind::port);
    static final Kind<Boolean> FLAG = new Kind<>("true or false", false, Kind::flag);
    /** Timers and clocks can still be told so much, and nobody waits longer. */
    static final Duration LONGEST = Duration.ofDays(365);

    static final Kind<Duration> DURATION = new Kind<>("a duration such as 30s", false, text -> duration(text, LONGEST));
    static final Kind<Duration> TIMEOUT = timeout(LONGEST);
    static final Kind<Secret> SECRET = new Kind<>("a secret", true, Kind::nonEmptySecret);
    static final Kind<ConsumerConfig.Start> START = new Kind<>("earliest or latest", false, Kind::start);
    static final Kind<ConsumerConfig.Threading> THREADING =
            new Kind<>("worker, event-loop or virtual-thread", false, Kind::threading);
    static final Kind<URI> BASE_URL = new Kind<>("a URL such as https://platform.example", false, Kind::baseUrl);
    static final Kind<TokenConfig.ExpiryUnit> EXPIRY_UNIT =
            new Kind<>("seconds or milliseconds", false, Kind::expiryUnit);

    /** Reads a text that is not null, all substitutions done. */
    interface Reader<T> {
        T read(String text) throws Unfit;
    }

    T read(String text) throws Unfit {
        return reader.read(text);
    }

    /** A text that matches the whole of a regular expression. */
    static Kind<String> matching(String expected, String regex) {
        Pattern pattern = Pattern.compile(regex);
        return new Kind<>(expected, false, text -> {
            if (!pattern.matcher(text).matches()) {
                throw new Unfit(expected);
            }
            return text;
        });
    }

    /** Bytes within bounds, both included. */
    static Kind<Long> size(long least, long most) {
        String expected = "a size such as 8MiB";
        return new Kind<>(expected, false, text -> {
            long bytes = ByteSize.parse(text).orElseThrow(() -> new Unfit(expected));
            if (bytes < least || bytes > most) {
                throw new Unfit("a size from " + ByteSize.show(least) + " to " + ByteSize.show(most));
            }
            return bytes;
        });
    }

    /** A duration longer than zero, up to a bound. */
    static Kind<Duration> timeout(Duration most) {
        return new Kind<>("a duration such as 30s", false, text -> {
            Duration duration = duration(text, most);
            if (duration.isZero()) {
                throw new Unfit("a duration longer than 0s");
            }
            return duration;
        });
    }

    /** A whole number within bounds, both included. */
    static Kind<Integer> count(int least, int most) {
        String expected = "a whole number from " + least + " to " + most;
        return new Kind<>(expected, false, text -> {
            long number = WHOLE_NUMBER.matcher(text).matches() ? Long.parseLong(text) : Long.MIN_VALUE;
            if (number < least || number > most) {
                throw new Unfit(expected);
            }
            return (int) number;
        });
    }

    /** A decimal number within bounds, both included. */
    static Kind<Double> number(double least, double most) {
        String expected = String.format(Locale.ROOT, "a number from %s to %s", least, most);
        Pattern decimal = Pattern.compile("\\d{1,9}(\\.\\d{1,9})?");
        return new Kind<>(expected, false, text -> {
            double number = decimal.matcher(text).matches() ? Double.parseDouble(text) : -1;
            if (number < least || number > most) {
                throw new Unfit(expected);
            }
            return number;
        });
    }

    private static Path path(String text) throws Unfit {
        try {
            if (!text.isBlank()) {
                return Path.of(text);
            }
        } catch (InvalidPathException e) {
            throw new Unfit("a path");
        }
        throw new Unfit("a path");
    }

    private static String hostWithoutPort(String text) throws Unfit {
        String plain = text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
        if (HOST_NAME.matcher(text).matches() || (LIKE_IPV6.matcher(plain).matches() && isIpv6(plain))) {
            return text;
        }
        throw new Unfit("a host name or address without a port, such as gateway.internal");
    }

    /** Of a text with a colon in it, which is never looked up as a name. */
    private static boolean isIpv6(String text) {
        try {
            return InetAddress.getByName(text) != null;
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static int port(String text) throws Unfit {
        int port = WHOLE_NUMBER.matcher(text).matches() ? Integer.parseInt(text) : -1;
        if (port < 0 || port > 65535) {
            throw new Unfit("a port from 0 to 65535");
        }
        return port;
    }

    private static String signatureHeader(String text) throws Unfit {
        if (!HEADER.matcher(text).matches()) {
            throw new Unfit("a header's name such as Service-Signature");
        }
        if (HTTP_HEADERS.contains(text.toLowerCase(Locale.ROOT))) {
            throw new Unfit(text + ", which HTTP itself uses", "a header's name such as Service-Signature");
        }
        return text;
    }

    private static boolean flag(String text) throws Unfit {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new Unfit("true or false");
        };
    }

    private static Duration duration(String text, Duration most) throws Unfit {
        Duration duration = TimeSpan.parse(text).orElseThrow(() -> new Unfit("a duration such as 30s"));
        if (duration.compareTo(most) > 0) {
            throw new Unfit("a duration of at most " + TimeSpan.show(most));
        }
        return duration;
    }

    private static Secret nonEmptySecret(String text) throws Unfit {
        if (text.isEmpty()) {
            throw new Unfit("an empty secret", "a secret");
        }
        return new Secret(text);
    }

    private static ConsumerConfig.Threading threading(String text) throws Unfit {
        return switch (text) {
            case "worker" -> ConsumerConfig.Threading.WORKER;
            case "event-loop" -> ConsumerConfig.Threading.EVENT_LOOP;
            case "virtual-thread" -> {
                int java = Runtime.version().feature();
                if (java < VIRTUAL_THREADS_SINCE) {
                    throw new Unfit("worker or event-loop (virtual threads come with Java " + VIRTUAL_THREADS_SINCE
                            + ", this is Java " + java + ")");
                }
                yield ConsumerConfig.Threading.VIRTUAL_THREAD;
            }
            default -> throw new Unfit("worker, event-loop or virtual-thread");
        };
    }

    private static ConsumerConfig.Start start(String text) throws Unfit {
        return switch (text) {
            case "earliest" -> ConsumerConfig.Start.EARLIEST;
            case "latest" -> ConsumerConfig.Start.LATEST;
            default -> throw new Unfit("earliest or latest");
        };
    }

    private static URI baseUrl(String text) throws Unfit {
        String expected = "a URL such as https://platform.example";
        try {
            URI url = new URI(text.replaceFirst("/+$", ""));
            boolean web = "https".equalsIgnoreCase(url.getScheme()) || "http".equalsIgnoreCase(url.getScheme());
            if (url.getRawUserInfo() != null) {
                throw new Unfit("a URL with a user in it, which is not shown", expected);
            }
            if (web && url.getHost() != null && url.getRawQuery() == null && url.getRawFragment() == null) {
                return url;
            }
        } catch (URISyntaxException e) {
            throw new Unfit(expected);
        }
        throw new Unfit(expected);
    }

    private static TokenConfig.ExpiryUnit expiryUnit(String text) throws Unfit {
        return switch (text) {
            case "seconds" -> TokenConfig.ExpiryUnit.SECONDS;
            case "milliseconds" -> TokenConfig.ExpiryUnit.MILLISECONDS;
            default -> throw new Unfit("seconds or milliseconds");
        };
    }
}
