package dev.holdfast.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateExpiredException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailureTextTest {
    /** It is made fit to be shown on an event loop. */
    @Test
    void ofAMessageThatHoldsAWholeAnswerThereIsTheBeginning() {
        String message = "answered " + "<p>\u9519\u8bef</p>".repeat(1_000_000);

        assertThat(FailureText.of(new IllegalStateException(message)))
                .startsWith("IllegalStateException: answered <p>")
                .hasSizeLessThan(20_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "finishConnect(..) failed with error(-111): Connection refused: /127.0.0.1:18090",
                "Connection refused: localhost/127.0.0.1:18090",
                "Connection refused: /127.0.0.1:18090"
            })
    void aRefusedConnectionSaysByWhom(String message) {
        assertThat(FailureText.of(new ConnectException(message))).isEqualTo("connection refused by 127.0.0.1:18090");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bind(..) failed with error(-98): Address already in use",
                "Address already in use",
                "Address already in use (Bind failed)"
            })
    void aPortThatIsTakenIsSaidWithoutTheCall(String message) {
        assertThat(FailureText.of(new BindException(message))).isEqualTo("the port is in use already");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bind(..) failed with error(-99): Cannot assign requested address",
                "Cannot assign requested address",
                "Cannot assign requested address (Bind failed)"
            })
    void anAddressOfAnotherMachineIsSaidWithoutTheCall(String message) {
        assertThat(FailureText.of(new BindException(message))).isEqualTo("this machine doesn't have the address");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Connection reset by peer", "recvAddress(..) failed with error(-104): Connection reset by peer"})
    void otherWordsOfTheSystemStayWithoutTheCall(String message) {
        assertThat(FailureText.of(new IOException(message))).isEqualTo("IOException: Connection reset by peer");
    }

    /** As Java fails one with an expired certificate: three exceptions say less than the last. */
    @Test
    void aHandshakeThatFailsSaysThatACertificateHasExpired() {
        Exception expired = new CertificateExpiredException("NotAfter: Sat Oct 31 00:00:00 UTC 2026");
        Exception checked = new CertPathValidatorException("validity check failed", expired);
        Throwable failed = new SSLHandshakeException("PKIX path validation failed: " + checked).initCause(checked);

        assertThat(FailureText.of(new SSLHandshakeException("failed").initCause(failed)))
                .isEqualTo(
                        "SSLHandshakeException: CertificateExpiredException: NotAfter: Sat Oct 31 00:00:00 UTC 2026");
    }

    /** As Java fails whoever needs a class first whose static fields can't be set. */
    @Test
    void aClassThatCannotBeInitializedSaysWhy() {
        assertThat(FailureText.of(new ExceptionInInitializerError(new IllegalStateException("no key"))))
                .isEqualTo("ExceptionInInitializerError: IllegalStateException: no key");
    }

    @Test
    void aFailureThatFailsAtItsMessageHasNone() {
        assertThat(FailureText.message(new RuntimeException() {
                    @Override
                    public String getMessage() {
                        throw new AssertionError("not to be called");
                    }
                }))
                .isNull();
    }
}
