package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** That an answer which is not what the document says is noticed. */
class ApiDocumentTest {
    private static final String QUARANTINED =
            "{\"id\":1,\"receivedAt\":\"2026-01-31T00:00:00Z\",\"endpoint\":\"default\",\"cause\":\"mismatch\","
                    + "\"address\":\"10.0.0.1\",\"bytes\":2,\"query\":\"\",\"headers\":[],\"body\":\"e30=\"";
    private static final String PROBLEM =
            "{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,\"detail\":\"found this\"}";

    private static void check(String target, int status, String type, String body) {
        ApiDocument.shipped().check("GET", target, status, type, body);
    }

    @Test
    void whatTheDocumentSaysIsTaken() {
        assertThatCode(() -> {
                    check("/api/v1/quarantine/1", 200, "application/json; charset=utf-8", QUARANTINED + "}");
                    check("/api/v1/quarantine?limit=x", 400, "application/problem+json", PROBLEM);
                    check("/api/v1/nowhere", 400, "application/problem+json", PROBLEM);
                })
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a field is missing         | /api/v1/audit        | 200 | application/json         | {"actions":[{}]}
            a field is unknown         | /api/v1/audit        | 200 | application/json         | {"actions":[],"more":false}
            a list is none             | /api/v1/audit        | 200 | application/json         | {"actions":{}}
            a day is none              | /api/v1/ledger       | 200 | application/json         | {"counts":[{"day":"today","cause":"x","count":1}],"starts":[],"more":false}
            a status is unknown        | /api/v1/audit        | 201 | application/json         | {"actions":[]}
            a type is unknown          | /api/v1/audit        | 200 | text/plain               | {"actions":[]}
            a path is unknown          | /api/v1/nowhere      | 200 | application/json         | {}
            a problem is no problem    | /api/v1/audit        | 400 | application/problem+json | {"error":"found this"}
            a problem has another type | /api/v1/audit        | 400 | text/plain               | found this
            """)
    void anythingElseIsNoticed(String what, String target, int status, String type, String body) {
        assertThatThrownBy(() -> check(target, status, type, body)).as(what).isInstanceOf(AssertionError.class);
    }

    @Test
    void aFieldTooManyIsNoticedWhereSchemasShareTheirs() {
        assertThatThrownBy(() -> check("/api/v1/quarantine/1", 200, "application/json", QUARANTINED + ",\"extra\":1}"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("extra");
    }

    @Test
    void aProblemOfAnotherStatusIsNoticed() {
        assertThatThrownBy(() -> check("/api/v1/audit", 404, "application/problem+json", PROBLEM))
                .isInstanceOf(AssertionError.class);
    }
}
