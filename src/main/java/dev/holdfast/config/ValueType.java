package dev.holdfast.config;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A type of single value: how it is read from its text, and what an error says was expected. */
record ValueType<T>(String expected, Reader<T> reader) {
    private static final Pattern HOST_NAME = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*+\\.?");
    private static final Pattern LIKE_IPV6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
    private static final Pattern ZONE = Pattern.compile("(?<=:[0-9A-Fa-f]{0,4})%[\\w.-]++(?=]?$)");
    private static final Pattern WHOLE_NUMBER = Pattern.compile("\\d{1,9}");

    private static final int VIRTUAL_THREADS_SINCE = 21;

    static final ValueType<String> NAME =
            matching("a name of letters, digits, '.', '_' and '-'", "[A-Za-z0-9][A-Za-z0-9._-]*");
    /** An address to listen on; one of IPv6 may name its interface. */
    static final ValueType<String> HOST = new ValueType<>(
            "a host name or address without a port, such as 0.0.0.0",
            text -> isHostWithoutPort(ZONE.matcher(text).replaceFirst("")) ? text : null);

    static final ValueType<String> HOST_WITHOUT_PORT = new ValueType<>(
            "a host name or address without a port, such as gateway.internal",
            text -> isHostWithoutPort(text) ? text : null);
    static final ValueType<String> URL_PATH = matching(
            "a path such as /webhook", "/|(/(?!\\.{1,2}(/|$))([A-Za-z0-9._~!$&'()+,;=@-]|%[0-9A-Fa-f]{2})++)++/?");
    static final ValueType<String> SIGNATURE_HEADER = new ValueType<>(HeaderName.EXPECTED, HeaderName::read);
    static final ValueType<String> EVENT = matching("an event such as visitor.updated", "[^\\s*.]+(\\.[^\\s*.]+)*+");
    static final ValueType<String> EVENT_PATTERN = matching(EventForm.EXPECTED, EventForm.REGEX);
    static final ValueType<String> POINTER = matching("a JSON pointer such as /conversation/id", "/([^~]|~[01])*+");
    static final ValueType<String> FIELD = matching("a field's name", ".+");
    static final ValueType<String> VERTICLE =
            matching("a shipped consumer's short name or a class name", "[A-Za-z_$][\\w$-]*(\\.[A-Za-z_$][\\w$]*)*+");
    static final ValueType<String> LOG_LEVEL =
            matching("error, warn, info, debug or trace", "error|warn|info|debug|trace");
    static final ValueType<String> APP_ID = matching("an application's identifier", ".+");
    static final ValueType<String> TEXT = new ValueType<>("a value", text -> text);
    static final ValueType<Path> PATH = new ValueType<>("a path", ValueType::path);
    static final ValueType<Integer> PORT = new ValueType<>("a port from 0 to 65535", text -> count(text, 0, 65535));
    static final ValueType<Boolean> FLAG = new ValueType<>("true or false", Map.of("true", true, "false", false)::get);
    /** The longest duration: timers and clocks can still handle it, and nobody waits longer. */
    static final Duration LONGEST = Duration.ofDays(365);

    static final ValueType<Duration> DURATION =
            new ValueType<>("a duration such as 30s", text -> duration(text, LONGEST));
    static final ValueType<Duration> TIMEOUT = timeout(LONGEST);
    /** How long something is kept. */
    static final ValueType<Duration> AGE = timeout(Duration.ofDays(3650));

    static final ValueType<Secret> SECRET = new ValueType<>("a secret", ValueType::nonEmptySecret);
    /** A secret that clients send in a header. */
    static final ValueType<Secret> SENT_SECRET = new ValueType<>("a secret", ValueType::sentSecret);

    static final ValueType<ConsumerConfig.Start> START =
            new ValueType<>("earliest or latest", text -> constant(text, ConsumerConfig.Start.values()));
    static final ValueType<ConsumerConfig.Threading> THREADING =
            new ValueType<>("worker, event-loop or virtual-thread", ValueType::threading);
    static final ValueType<URI> BASE_URL =
            new ValueType<>("a URL such as https://platform.example", ValueType::baseUrl);
    static final ValueType<TokenConfig.ExpiryUnit> EXPIRY_UNIT =
            new ValueType<>("seconds or milliseconds", text -> constant(text, TokenConfig.ExpiryUnit.values()));

    /** Reads a text that is not null, all substitutions done; null if it isn't of the type. */
    interface Reader<T> {
        @Nullable
        T read(String text) throws InvalidValue;
    }

    /** The value of a text, all substitutions done. */
    T read(String text) throws InvalidValue {
        T value = reader.read(text);
        if (value == null) {
            throw new InvalidValue(expected);
        }
        return value;
    }

    /** A text that matches the whole of a regular expression. */
    static ValueType<String> matching(String expected, String regex) {
        Pattern pattern = Pattern.compile(regex);
        return new ValueType<>(expected, text -> pattern.matcher(text).matches() ? text : null);
    }

    /** How the constant of an enum is written, such as {@code event-loop}. */
    static String written(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static <E extends Enum<E>> @Nullable E constant(String text, E[] constants) {
        return Stream.of(constants)
                .filter(one -> written(one).equals(text))
                .findFirst()
                .orElse(null);
    }

    /** Bytes within bounds, both included. */
    static ValueType<Long> size(long least, long most) {
        return new ValueType<>("a size such as 8MiB", text -> {
            Long bytes = ByteSize.parse(text).orElse(null);
            if (bytes != null && (bytes < least || bytes > most)) {
                throw new InvalidValue("a size from " + ByteSize.show(least) + " to " + ByteSize.show(most));
            }
            return bytes;
        });
    }

    /** A duration longer than zero, up to a bound. */
    static ValueType<Duration> timeout(Duration most) {
        return new ValueType<>("a duration such as 30s", text -> {
            Duration duration = duration(text, most);
            if (duration != null && duration.isZero()) {
                throw new InvalidValue("a duration longer than 0s");
            }
            return duration;
        });
    }

    /** A whole number within bounds, both included. */
    static ValueType<Integer> count(int least, int most) {
        return new ValueType<>("a whole number from " + least + " to " + most, text -> count(text, least, most));
    }

    /** A decimal number within bounds, both included. */
    static ValueType<Double> number(double least, double most) {
        Pattern decimal = Pattern.compile("\\d{1,9}(\\.\\d{1,9})?");
        return new ValueType<>(String.format(Locale.ROOT, "a number from %s to %s", least, most), text -> {
            double number = decimal.matcher(text).matches() ? Double.parseDouble(text) : -1;
            return number < least || number > most ? null : (Double) number;
        });
    }

    /**
     * Reads a path. One of several lines is most likely the content of a file, such as a private key, in place of its
     * path.
     */
    private static @Nullable Path path(String text) throws InvalidValue {
        if (text.indexOf('\n') >= 0) {
            throw new InvalidValue("several lines, which are not shown", "a path");
        }
        try {
            return text.isBlank() ? null : Path.of(text);
        } catch (InvalidPathException e) {
            if (text.chars().allMatch(c -> c < 128)) {
                return null;
            }
            throw new InvalidValue("a path that this locale can write, as LC_ALL=C.UTF-8 can all");
        }
    }

    private static boolean isHostWithoutPort(String text) {
        String plain = text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
        return HOST_NAME.matcher(text).matches() || (LIKE_IPV6.matcher(plain).matches() && isIpv6(plain));
    }

    /** Whether a text with a colon is an IPv6 address; such a text is never looked up as a name. */
    private static boolean isIpv6(String text) {
        try {
            return InetAddress.getByName(text) != null;
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static @Nullable Integer count(String text, int least, int most) {
        Integer number = WHOLE_NUMBER.matcher(text).matches() ? Integer.valueOf(text) : null;
        return number == null || number < least || number > most ? null : number;
    }

    private static @Nullable Duration duration(String text, Duration most) throws InvalidValue {
        Duration duration = TimeSpan.parse(text).orElse(null);
        if (duration != null && duration.compareTo(most) > 0) {
            throw new InvalidValue("a duration of at most " + TimeSpan.show(most));
        }
        return duration;
    }

    private static Secret nonEmptySecret(String text) throws InvalidValue {
        if (text.isEmpty()) {
            throw new InvalidValue("an empty secret", "a secret");
        }
        return new Secret(text);
    }

    private static Secret sentSecret(String text) throws InvalidValue {
        Secret secret = nonEmptySecret(text);
        if (!secret.isHeaderValue()) {
            throw new InvalidValue(
                    "a secret that is not shown", "visible ASCII, with blanks only inside: it is sent in a header");
        }
        return secret;
    }

    private static ConsumerConfig.@Nullable Threading threading(String text) throws InvalidValue {
        int java = Runtime.version().feature();
        if (text.equals("virtual-thread") && java < VIRTUAL_THREADS_SINCE) {
            throw new InvalidValue("worker or event-loop (virtual threads come with Java " + VIRTUAL_THREADS_SINCE
                    + ", this is Java " + java + ")");
        }
        return constant(text, ConsumerConfig.Threading.values());
    }

    private static @Nullable URI baseUrl(String text) throws InvalidValue {
        try {
            URI url = new URI(text.replaceFirst("/+$", ""));
            boolean web = "https".equalsIgnoreCase(url.getScheme()) || "http".equalsIgnoreCase(url.getScheme());
            if (url.getRawUserInfo() != null) {
                throw new InvalidValue(
                        "a URL with a user in it, which is not shown", "a URL such as https://platform.example");
            }
            boolean plain = url.getRawQuery() == null && url.getRawFragment() == null;
            boolean port = url.getPort() != 0 && url.getPort() <= 65_535;
            return web && url.getHost() != null && plain && port ? url : null;
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
