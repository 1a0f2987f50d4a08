package dev.holdfast.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.EndpointConfig;
import dev.holdfast.config.Secret;
import dev.holdfast.signature.SignatureScheme;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a changed configuration does to endpoints that are open. */
class EndpointsTest {
    private static final byte[] BODY = {1, 2, 3};

    private final Endpoints endpoints =
            new Endpoints(List.of(endpoint("one", "/one", "before"), endpoint("two", "/two", "before")));

    private static EndpointConfig endpoint(String name, String path, String secret) {
        return new EndpointConfig(name, path, List.of(new Secret(secret)), "X-" + name);
    }

    private static boolean isLive(@Nullable Endpoint endpoint, String secret) {
        return endpoint != null
                && endpoint.secrets().matches(BODY, SignatureScheme.sign(BODY, new Secret(secret).bytes()));
    }

    @Test
    void secretsAreReplacedForRequestsUnderWayToo() {
        Endpoint underWay = endpoints.at("/one");
        endpoints.replace(List.of(endpoint("one", "/one", "after"), endpoint("two", "/two", "before")));

        assertThat(isLive(underWay, "after")).isTrue();
        assertThat(isLive(underWay, "before")).isFalse();
        assertThat(isLive(endpoints.at("/two"), "before")).isTrue();
    }

    @Test
    void endpointsComeAndGoAndMove() {
        endpoints.replace(List.of(endpoint("one", "/elsewhere", "before"), endpoint("three", "/two", "new")));

        assertThat(endpoints.at("/one")).isNull();
        assertThat(isLive(endpoints.at("/elsewhere"), "before")).isTrue();
        assertThat(endpoints.at("/two")).returns("three", Endpoint::name);
        assertThat(endpoints.named("two")).isNull();
        assertThat(endpoints.all()).extracting(Endpoint::name).containsExactly("one", "three");
    }

    @Test
    void aRequestToOneThatIsGoneIsCheckedWithItsLastSecrets() {
        Endpoint underWay = endpoints.at("/two");
        endpoints.replace(List.of(endpoint("one", "/one", "before")));

        assertThat(isLive(underWay, "before")).isTrue();
    }

    @Test
    void theSignatureHeaderOfOneThatIsGoneIsStillKnown() {
        Map<String, String> headers = endpoints.signatureHeaders();
        endpoints.replace(List.of(endpoint("three", "/three", "new")));

        assertThat(headers).containsEntry("two", "X-two").containsEntry("three", "X-three");
    }
}
