package dev.holdfast.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a service sends back of a secret, in whatever way it writes URLs. */
class RedactionTest {
    private static final String SECRET = "s3~c (r)*t+\u00e4!";

    @ParameterizedTest
    @ValueSource(
            strings = {
                SECRET,
                "S3~C (R)*T+\u00c4!",
                "s3%7Ec+%28r%29*t%2B%C3%A4%21",
                "s3%7ec%20%28r%29%2at%2b%c3%a4%21",
                "s3~c+(r)*t%2B%C3%A4!",
                "s3~c%20(r)*t+%C3%A4!",
            })
    void noWayOfEncodingASecretShowsIt(String echoed) {
        assertThat(new Redaction(List.of(SECRET)).apply("unknown: appSecret=" + echoed + "&code=1"))
                .isEqualTo("unknown: appSecret=********&code=1");
    }

    @Test
    void aSecretOfAnyLengthIsHidden() {
        String secret = "-_".repeat(30_000);

        assertThat(new Redaction(List.of(secret)).apply("msg=" + secret + "; " + secret.replace("-", "%2d")))
                .isEqualTo("msg=********; ********");
    }

    @Test
    void whatHasPercentSignsOfItsOwnIsHiddenEncodedAndAsItIs() {
        assertThat(new Redaction(List.of("a%25b")).apply("a%25b, A%2525B, a%25c"))
                .isEqualTo("********, ********, a%25c");
    }
}
