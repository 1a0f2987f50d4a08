package dev.holdfast.config;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The name of a header that may bear a signature: no header that HTTP itself uses. */
public final class HeaderName {
    public static final String EXPECTED = "a header's name such as Service-Signature";

    private static final Pattern FORM = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    /** Headers that HTTP gives a meaning (RFC 9110, RFC 9112), or that go between two machines only. */
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

    private HeaderName() {}

    /** Whether it is one. */
    public static boolean fits(String text) {
        return FORM.matcher(text).matches() && !HTTP_HEADERS.contains(text.toLowerCase(Locale.ROOT));
    }

    /** The name; null if the text is none. */
    static @Nullable String read(String text) throws InvalidValue {
        if (HTTP_HEADERS.contains(text.toLowerCase(Locale.ROOT))) {
            throw new InvalidValue(text + ", which HTTP itself uses", EXPECTED);
        }
        return FORM.matcher(text).matches() ? text : null;
    }
}
