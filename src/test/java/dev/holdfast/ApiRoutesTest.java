package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigLoader;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.delivery.LiveListeners;
import dev.holdfast.management.ApiRoutes;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.tracing.PushTracer;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The routes of the management API and its document are the same. */
@Timeout(60)
final class ApiRoutesTest {
    @TempDir
    Path directory;

    private Wiring wired;

    @BeforeEach
    void wire() throws IOException {
        Path file = Files.writeString(directory.resolve("holdfast.yaml"), """
                receiver:
                  endpoints: [{name: default, path: /webhook, secrets: [0123456789abcdef-strong]}]
                journal: {directory: "${DIRECTORY}/data", reserve: 1KiB}
                plugins: ${DIRECTORY}/plugins
                """);
        HoldfastConfig config = ConfigLoader.read(file, Map.of("DIRECTORY", directory.toString()))
                .config();
        wired = new Wiring(
                config,
                PushWatcher.NONE,
                Storage::open,
                CompletableFuture.completedFuture(Vertx.vertx()),
                new LiveListeners(),
                PushTracer.NONE);
    }

    @AfterEach
    void close() {
        wired.vertx.close().await();
        wired.quarantine.close();
        wired.journal.close();
        wired.store.close();
    }

    private Set<String> routes() {
        ApiRoutes routes = new ApiRoutes(wired.vertx);
        wired.api().forEach(part -> part.addTo(routes));
        return routes.router().getRoutes().stream()
                .map(ApiRoutesTest::shown)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String shown(Route route) {
        assertThat(route.methods()).as(String.valueOf(route)).hasSize(1);
        return route.methods().iterator().next() + " " + route.getPath().replaceAll(":(\\w+)", "{$1}");
    }

    private static List<ApiDocument.Operation> operations() {
        return ApiDocument.shipped().operations();
    }

    @Test
    void everyRouteStandsInTheDocument() {
        assertThat(operations().stream().map(Object::toString)).containsAll(routes());
    }

    @Test
    void everythingInTheDocumentHasARoute() {
        assertThat(routes())
                .containsAll(operations().stream()
                        .filter(ApiDocument.Operation::isFinished)
                        .map(Object::toString)
                        .toList());
    }

    @Test
    void operationsHaveNamesOfTheirOwn() {
        List<String> ids = operations().stream().map(ApiDocument.Operation::id).toList();

        assertThat(ids).doesNotHaveDuplicates().doesNotContain("").containsAll(ApiDocument.UNFINISHED);
    }
}
