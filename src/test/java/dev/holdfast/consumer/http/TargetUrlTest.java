package dev.holdfast.consumer.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetUrlTest {
    @ParameterizedTest
    @CsvSource({
        "https://receiver.example/webhook, https://receiver.example:443, /webhook",
        "http://receiver.example:8080, http://receiver.example:8080, /",
        "http://[::1]:9/a?b=c, http://[::1]:9, /a?b=c",
        "http://my_service/webhook, http://my_service:80, /webhook",
        "http://my_service:3000/webhook, http://my_service:3000, /webhook",
    })
    void itsPartsAreAsWritten(String url, String shown, String uri) {
        assertThat(TargetUrl.parse(url)).get().satisfies(target -> {
            assertThat(target).hasToString(shown);
            assertThat(target.uri()).isEqualTo(uri);
            assertThat(target.authorization()).isNull();
        });
    }

    @ParameterizedTest
    @CsvSource({
        "http://h/in, '', /in",
        "http://h/in?key=1, '', /in?key=1",
        "http://h/in, a=1&b=%zz?c, /in?a=1&b=%zz?c",
        "http://h, a, /?a",
        "http://h/in?key=1, key=2, /in?key=1&key=2",
        "http://h/in?, a, /in?a",
        "http://h/in?key&, a, /in?key&a",
        "http://h/in, a=Ã©, /in?a=%C3%A9"
    })
    void thePushsQueryStandsBehindTheUrlsOwn(String url, String query, String uri) {
        assertThat(TargetUrl.parse(url))
                .get()
                .extracting(target -> target.uri(query))
                .isEqualTo(uri);
    }

    @Test
    void userAndPasswordAreAHeader() {
        assertThat(TargetUrl.parse("http://user:pass@receiver.example/"))
                .get()
                .satisfies(target -> assertThat(target.authorization()).isEqualTo("Basic dXNlcjpwYXNz"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "receiver.example",
                "ftp://receiver.example/",
                "http:///webhook",
                "http://my_service:70000/",
                "http://my_service:/",
                "http://receiver.example:0/",
                "http://my service/",
                "http://user@my_service/",
                "http://x!y/"
            })
    void whatIsNoneIsRefused(String url) {
        assertThat(TargetUrl.parse(url)).isEmpty();
    }
}
