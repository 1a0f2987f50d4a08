package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.request;
import static dev.holdfast.gateway.GatewayUnderTest.sign;
import static dev.holdfast.gateway.GatewayUnderTest.signed;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BadBlock;
import dev.holdfast.LogLines;
import dev.holdfast.journal.BrokenJournal;
import dev.holdfast.journal.TrialJournal;
import dev.holdfast.push.Push;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests whose signature did not match are kept, and become pushes when the mistake was here and is corrected. */
@Timeout(90)
class QuarantineGatewayTest {
    private static final String WRONG_SECRET = "another-secret-0123456789abcdef";

    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();

    private GatewaySettings right() {
        return new GatewaySettings().consumer("everything", "*", deliveries);
    }

    /** The secret is not the one that the pushes are signed with. */
    private GatewaySettings wrong() {
        return right().endpoint("default", "/webhook", "Service-Signature", WRONG_SECRET);
    }

    private GatewayUnderTest start(GatewaySettings settings) {
        return GatewayUnderTest.start(settings, directory);
    }

    private static List<String> bodies(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(n -> envelope("client.created", n))
                .toList();
    }

    private static void send(GatewayUnderTest gateway, int status, Stream<byte[]> requests) {
        try (RawConnection connection = gateway.connect()) {
            requests.forEach(request ->
                    assertThat(connection.send(request).answer().status()).isEqualTo(status));
        }
    }

    private static void refuse(GatewayUnderTest gateway, int count) {
        refuse(gateway, bodies(count).stream().map(GatewayUnderTest::signed));
    }

    private static void refuse(GatewayUnderTest gateway, Stream<byte[]> requests) {
        double before = gateway.metric("holdfast_quarantine_kept_total");
        List<byte[]> all = requests.toList();
        send(gateway, 401, all.stream());
        // Nobody waits for the disk with the answer.
        eventually(() ->
                assertThat(gateway.metric("holdfast_quarantine_kept_total")).isEqualTo(before + all.size()));
    }

    private static JsonObject get(GatewayUnderTest gateway, String path) {
        HttpAnswer answer = gateway.management(path);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private static JsonArray list(GatewayUnderTest gateway) {
        return get(gateway, "/api/v1/quarantine?limit=1000").getJsonArray("requests");
    }

    private static JsonObject verify(GatewayUnderTest gateway) {
        return verify(gateway, false);
    }

    private static JsonObject verify(GatewayUnderTest gateway, boolean dryRun) {
        HttpAnswer answer = gateway.manage("/api/v1/quarantine/verify", "{\"all\":true,\"dryRun\":" + dryRun + "}");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private static String notices(GatewayUnderTest gateway) {
        return get(gateway, "/readyz").getJsonArray("notices").encode();
    }

    @Test
    void whatCameToAnEndpointThatIsNoLongerConfiguredStaysAndIsCounted() {
        byte[] body = GatewayUnderTest.bytes(envelope("client.created", 1));
        GatewaySettings both = wrong().endpoint("old", "/old", "Service-Signature", WRONG_SECRET);
        try (GatewayUnderTest gateway = start(both)) {
            String signature = "Service-Signature: " + GatewayUnderTest.sign(body);
            refuse(
                    gateway,
                    Stream.of(
                            GatewayUnderTest.requestTo("/old", body, signature),
                            GatewayUnderTest.signed(envelope("client.created", 2))));

            gateway.reconfigure(right(), directory);
            JsonObject verified = verify(gateway);

            assertThat(verified.getInteger("pushes")).isOne();
            assertThat(verified.getInteger("unknownEndpoint")).isOne();
            assertThat(list(gateway)).hasSize(1);
            assertThat(list(gateway).getJsonObject(0).getString("endpoint")).isEqualTo("old");
        }
    }

    @Test
    void pushesRefusedForAWrongSecretAreDeliveredInOrderAndMarkedLateOnceItIsCorrected() {
        Instant before = Instant.now();
        try (LogLines log = LogLines.atWarn();
                GatewayUnderTest gateway = start(wrong())) {
            refuse(gateway, 200);
            Instant recovered = Instant.now();
            assertThat(log.text()).contains("1 push at `default` was refused since", "match none of its 1 secret");
            assertThat(notices(gateway)).contains("200 pushes at `default` were refused since");
            assertThat(gateway.isReady()).isTrue();
            assertThat(list(gateway)).hasSize(200);

            gateway.reconfigure(right(), directory);
            assertThat(notices(gateway)).isEqualTo("[]");
            JsonObject verified = verify(gateway);

            assertThat(verified.getInteger("pushes")).isEqualTo(200);
            assertThat(verified.getInteger("duplicates")).isZero();
            eventually(() -> assertThat(deliveries.handled()).hasSize(200));
            assertThat(deliveries.bodies()).isEqualTo(bodies(200));
            assertThat(deliveries.handled())
                    .allMatch(Push::late)
                    .allSatisfy(push -> assertThat(push.receivedAt()).isBetween(before.minusMillis(1), recovered));
            assertThat(list(gateway)).isEmpty();
            assertThat(get(gateway, "/api/v1/pushes/7").getBoolean("late")).isTrue();
            assertThat(Verb.run(gateway, "pushes", "get", "7").done()).contains(", late");

            gateway.push(envelope("client.created", 201));
            eventually(() -> assertThat(deliveries.handled()).hasSize(201));
            assertThat(deliveries.handled().get(200).late()).isFalse();
            assertThat(Verb.run(gateway, "pushes", "get", "201").done()).doesNotContain(", late");
        }
    }

    @Test
    void whatCameInProperlyMeanwhileIsNoPushASecondTime() {
        try (GatewayUnderTest gateway = start(wrong())) {
            refuse(gateway, 3);
            refuse(gateway, Stream.of(signed(bodies(3).get(0))));
            gateway.reconfigure(right(), directory);
            assertThat(gateway.push(bodies(3).get(1)).status()).isEqualTo(200);

            Verb verify = Verb.run(gateway, "quarantine", "verify", "--all");

            assertThat(verify.done())
                    .contains("2 are pushes now", "2 are in the journal already, and gone from the quarantine");
            eventually(() -> assertThat(deliveries.handled()).hasSize(3));
            assertThat(deliveries.bodies())
                    .containsExactly(
                            bodies(3).get(1), bodies(3).get(0), bodies(3).get(2));
            assertThat(list(gateway)).isEmpty();
        }
    }

    @Test
    void aCrashBetweenThePushesAndTheirRemovalMakesNoPushTwice() throws IOException {
        try (GatewayUnderTest gateway = start(wrong())) {
            refuse(gateway, 50);
        }
        Path quarantine = directory.resolve("data/quarantine");
        Path asItWas = Files.createDirectory(directory.resolve("as-it-was"));
        copy(quarantine, asItWas);
        try (GatewayUnderTest gateway = start(right())) {
            assertThat(verify(gateway).getInteger("pushes")).isEqualTo(50);
            eventually(() -> assertThat(deliveries.handled()).hasSize(50));
        }
        // The removal did not survive.
        copy(asItWas, quarantine);

        try (GatewayUnderTest gateway = start(right())) {
            assertThat(list(gateway)).hasSize(50);
            JsonObject verified = verify(gateway);

            assertThat(verified.getInteger("pushes")).isZero();
            assertThat(verified.getInteger("duplicates")).isEqualTo(50);
            assertThat(list(gateway)).isEmpty();
            assertThat(gateway.push(envelope("client.created", 51)).status()).isEqualTo(200);
            eventually(() -> assertThat(deliveries.handled()).hasSize(51));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    @Test
    void whatCantBeStoredStaysInTheQuarantine() {
        HeldStorage<BrokenJournal> storage = HeldStorage.broken();
        try (GatewayUnderTest gateway = GatewayUnderTest.start(wrong(), directory, storage)) {
            refuse(gateway, 10);
            gateway.reconfigure(right(), directory);
            BrokenJournal broken = storage.journal();
            broken.breakWrites();

            Verb verify = Verb.run(gateway, "quarantine", "verify", "--all");

            assertThat(verify.status()).isEqualTo(1);
            assertThat(verify.out()).contains("could not be stored at the moment");
            assertThat(list(gateway)).hasSize(10);

            broken.mend();
            eventually(() -> {
                verify(gateway);
                assertThat(list(gateway)).isEmpty();
            });
            eventually(() -> assertThat(deliveries.bodies()).containsExactlyInAnyOrderElementsOf(bodies(10)));
        }
    }

    /** With ten that wait to be verified, and a disk that hangs. */
    private GatewayUnderTest startHung(GatewaySettings settings, HeldStorage<TrialJournal> storage) {
        GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory, storage);
        refuse(gateway, 10);
        gateway.reconfigure(right(), directory);
        storage.journal().hold();
        return gateway;
    }

    /** All of them together wait as long for the disk as one push does. */
    @Test
    void whatAHungDiskDoesNotStoreIsToldInTime() {
        HeldStorage<TrialJournal> storage = HeldStorage.trial();
        GatewaySettings settings = wrong().journal("sync-timeout: 1s");
        try (GatewayUnderTest gateway = startHung(settings, storage)) {
            TrialJournal hung = storage.journal();

            assertThat(verify(gateway).getInteger("failed")).isEqualTo(10);
            assertThat(list(gateway)).hasSize(10);

            hung.letGo();
            eventually(() -> assertThat(deliveries.bodies()).containsExactlyInAnyOrderElementsOf(bodies(10)));
            assertThat(verify(gateway).getInteger("duplicates")).isEqualTo(10);
        }
    }

    @Test
    void aTrialDoesNotWaitForAVerificationThatWaitsForTheDisk() {
        HeldStorage<TrialJournal> storage = HeldStorage.trial();
        GatewaySettings settings = wrong().journal("sync-timeout: 10s");
        try (GatewayUnderTest gateway = startHung(settings, storage)) {
            TrialJournal hung = storage.journal();
            CompletableFuture<JsonObject> verification = CompletableFuture.supplyAsync(() -> verify(gateway));
            eventually(() -> assertThat(hung.waiting()).isPositive());

            assertThat(verify(gateway, true).getInteger("pushes")).isEqualTo(10);

            assertThat(verification).isNotDone();
            hung.letGo();
            assertThat(verification).succeedsWithin(Duration.ofSeconds(30));
        }
    }

    @Test
    void aWrongNameOfTheSignatureHeaderIsSeenAndCorrectedAfterwards() {
        GatewaySettings misnamed = right().endpoint("default", "/webhook", "Brand-Signature", GatewayUnderTest.SECRET);
        try (GatewayUnderTest gateway = start(misnamed)) {
            refuse(gateway, 10);

            assertThat(notices(gateway))
                    .contains("had no header Brand-Signature: header Service-Signature holds what looks like one");
            assertThat(list(gateway).getJsonObject(0).getString("cause")).isEqualTo("missing");
            assertThat(verify(gateway).getInteger("wrong")).isEqualTo(10);
        }
        try (GatewayUnderTest gateway = start(right())) {
            assertThat(verify(gateway).getInteger("pushes")).isEqualTo(10);
            eventually(() -> assertThat(deliveries.bodies()).isEqualTo(bodies(10)));
            assertThat(deliveries.handled().get(0).signature())
                    .isEqualTo(sign(bytes(bodies(1).get(0))));
        }
    }

    @Test
    void theNewestComeFirstAPageAtATime() {
        try (GatewayUnderTest gateway = start(wrong())) {
            refuse(gateway, 5);
            List<Long> ids = new ArrayList<>();
            String cursor = "";
            do {
                JsonObject page = get(gateway, "/api/v1/quarantine?limit=2&to=4" + cursor);
                page.getJsonArray("requests").forEach(one -> ids.add(((JsonObject) one).getLong("id")));
                cursor = page.containsKey("next") ? "&cursor=" + page.getString("next") : "";
            } while (!cursor.isEmpty());

            assertThat(ids).containsExactly(4L, 3L, 2L, 1L);
            assertThat(gateway.management("/api/v1/quarantine?cursor=abc").body())
                    .contains("cursor: found abc, expected what the page before has under next");
        }
    }

    @Test
    void aDryRunSaysWhatWouldBecomeOfThemAndChangesNothing() {
        try (GatewayUnderTest gateway = start(wrong())) {
            refuse(gateway, 3);
            gateway.reconfigure(right(), directory);

            HttpAnswer verified = gateway.manage("/api/v1/quarantine/verify", "{\"all\":true,\"dryRun\":true}");
            HttpAnswer discarded =
                    gateway.manage("/api/v1/quarantine/discard", "{\"to\":2,\"reason\":\"none\",\"dryRun\":true}");

            assertThat(new JsonObject(verified.body()).getInteger("pushes")).isEqualTo(3);
            assertThat(new JsonObject(discarded.body()).getInteger("discarded")).isEqualTo(2);
            assertThat(list(gateway)).hasSize(3);
            assertThat(get(gateway, "/api/v1/pushes").getJsonArray("pushes")).isEmpty();
            assertThat(actions(gateway)).isEmpty();
        }
    }

    private static List<String> actions(GatewayUnderTest gateway) {
        return get(gateway, "/api/v1/audit").getJsonArray("actions").stream()
                .map(JsonObject.class::cast)
                .map(line -> line.getString("who") + " " + line.getString("from") + " " + line.getString("action") + " "
                        + line.getString("target") + " " + line.getValue("count") + " " + line.getString("reason"))
                .toList();
    }

    @Test
    void theAuditSaysWhoVerifiedAndDiscardedWhat() {
        try (GatewayUnderTest gateway = start(wrong())) {
            refuse(gateway, 3);
            Verb.run(gateway, "quarantine", "discard", "--to", "2", "--reason", "strays");
            gateway.reconfigure(right(), directory);
            verify(gateway);

            eventually(() -> assertThat(actions(gateway))
                    .containsExactly(
                            "anonymous 127.0.0.1 quarantine.verify all: true 1 null",
                            "anonymous 127.0.0.1 quarantine.discard to: 2 2 strays"));
        }
    }

    /** Two requests fill a file. */
    private static final String SMALL_FILES = "quarantine: {max-size: 1MiB, max-body: 64KiB}";

    private static List<Path> fillFiles(GatewayUnderTest gateway, Path directory) throws IOException {
        String filling = ",\"padding\":\"" + "x".repeat(7_000) + "\"}";
        refuse(gateway, bodies(7).stream().map(body -> signed(body.replaceAll("}$", filling))));
        try (Stream<Path> files = Files.list(directory.resolve("data/quarantine"))) {
            return files.sorted().toList();
        }
    }

    @Test
    void aVerificationThatFailsHalfWaySaysInTheAuditHowManyArePushes() throws IOException {
        try (GatewayUnderTest gateway = start(wrong().section(SMALL_FILES))) {
            Path third = fillFiles(gateway, directory).get(2);
            gateway.reconfigure(right().section(SMALL_FILES), directory);
            Files.createDirectory(third.resolveSibling(third.getFileName() + ".new"));

            HttpAnswer answer = gateway.manage("/api/v1/quarantine/verify", "{\"from\":2,\"to\":5}");

            assertThat(answer.status()).isEqualTo(500);
            assertThat(get(gateway, "/api/v1/pushes").getJsonArray("pushes")).hasSize(4);
            assertThat(list(gateway)).hasSize(4);
            eventually(() -> assertThat(actions(gateway))
                    .containsExactly("anonymous 127.0.0.1 quarantine.verify from: 2, to: 5 4 null"));
        }
    }

    @Test
    void aVerificationPassesOverAFileThatTheDiskDoesNotGive() throws IOException {
        try (GatewayUnderTest gateway = start(wrong().section(SMALL_FILES))) {
            Path third = fillFiles(gateway, directory).get(2);
            gateway.reconfigure(right().section(SMALL_FILES), directory);
            BadBlock.in(third);

            assertThat(verify(gateway).getInteger("pushes")).isEqualTo(5);

            assertThat(list(gateway)).isEmpty();
            assertThat(get(gateway, "/readyz").getJsonArray("notices").encode())
                    .contains("the quarantine: some of its files can't be read, and are passed over");
        }
    }

    @Test
    void aDiscardThatFailsHalfWaySaysInTheAuditHowManyAreGone() throws IOException {
        try (GatewayUnderTest gateway = start(wrong().section(SMALL_FILES))) {
            Path third = fillFiles(gateway, directory).get(2);
            Files.createDirectory(third.resolveSibling(third.getFileName() + ".new"));

            HttpAnswer answer = gateway.manage("/api/v1/quarantine/discard", "{\"to\":5,\"reason\":\"strays\"}");

            assertThat(answer.status()).isEqualTo(500);
            assertThat(list(gateway)).hasSize(3);
            eventually(() -> assertThat(actions(gateway))
                    .containsExactly("anonymous 127.0.0.1 quarantine.discard to: 5 4 strays"));
        }
    }

    @Test
    void eachCauseIsKeptAsSuch() {
        byte[] body = bytes(envelope("client.created", 1));
        try (GatewayUnderTest gateway = start(right())) {
            refuse(
                    gateway,
                    Stream.of(
                            request(body),
                            request(body, "Service-Signature: none"),
                            request(body, "Service-Signature: " + sign(body), "Service-Signature: " + sign(body)),
                            request(body, "Service-Signature: " + sign(body, WRONG_SECRET))));

            assertThat(list(gateway).stream().map(one -> ((JsonObject) one).getString("cause")))
                    .containsExactly("mismatch", "doubled", "malformed", "missing");
            assertThat(Verb.run(gateway, "quarantine", "list", "--cause", "doubled")
                            .done())
                    .containsPattern("\n +3  \\S+Z  default +doubled  127.0.0.1 +" + body.length + " B")
                    .hasLineCount(2);
            assertThat(verify(gateway).getInteger("wrong")).isEqualTo(4);
        }
    }

    @Test
    void aRefusedPushIsFoundByWhatItsBodySays() {
        String wanted = envelope("client.updated", 7);
        String id = new JsonObject(wanted).getString("id");
        try (GatewayUnderTest gateway = start(wrong())) {
            refuse(gateway, 3);
            refuse(gateway, Stream.of(signed(wanted), request(bytes("{broken"))));

            JsonArray byId = get(gateway, "/api/v1/quarantine?pushId=" + id + "&event=client.updated")
                    .getJsonArray("requests");
            assertThat(byId).hasSize(1);
            assertThat(byId.getJsonObject(0).getString("event")).isEqualTo("client.updated");
            assertThat(byId.getJsonObject(0).getString("pushId")).isEqualTo(id);
            assertThat(list(gateway).getJsonObject(0).fieldNames()).doesNotContain("event", "pushId");
            assertThat(Verb.run(gateway, "quarantine", "list", "--event", "client.updated")
                            .done())
                    .containsPattern("client.updated +" + id + "\n")
                    .hasLineCount(2);
            assertThat(Verb.run(gateway, "quarantine", "get", "4").done())
                    .containsPattern("event\\? +client.updated")
                    .containsPattern("push id\\? +" + id);
            assertThat(saidOfNoPush(gateway, id))
                    .startsWith("none accepted; what was refused is in the quarantine: quarantine list --push-id " + id
                            + " --management http://127.0.0.1:");
            assertThat(saidOfNoPush(gateway, "other"))
                    .startsWith("none accepted; what was refused is counted: ledger --management");
        }
    }

    private static String saidOfNoPush(GatewayUnderTest gateway, String id) {
        Verb list = Verb.run(gateway, "pushes", "list", "--id", id);
        assertThat(list.done()).isEmpty();
        return list.err();
    }

    @Test
    void everythingOfTheRequestIsKeptButCredentials() throws IOException {
        byte[] body = {'{', 0, -1, '\n', 7};
        byte[] sent = request(
                body,
                "Authorization: Basic hidden-1",
                "Cookie: sid=hidden-2",
                "Proxy-Authorization: Bearer hidden-3",
                "X-Api-Key: hidden-4",
                "X-Access-Token: hidden-5",
                "X-Amz-Security-Token: hidden-6",
                "X-Auth-Signature: seen-1",
                "X-Brand-Signature: seen-2",
                "X-Brand-Signature: seen-3",
                "Content-Type: text/odd");
        try (GatewayUnderTest gateway = start(right())) {
            refuse(gateway, Stream.of(sent));

            JsonObject kept = get(gateway, "/api/v1/quarantine/1");
            assertThat(kept.getString("address")).isEqualTo("127.0.0.1");
            assertThat(kept.getString("endpoint")).isEqualTo("default");
            assertThat(Base64.getDecoder().decode(kept.getString("body"))).isEqualTo(body);
            assertThat(kept.getJsonArray("headers").encode())
                    .contains("seen-1", "seen-2", "seen-3", "text/odd", "\"Host\"")
                    .doesNotContain("hidden");
        }
        try (Stream<Path> files = Files.walk(directory.resolve("data"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file, ISO_8859_1)).as("%s", file).doesNotContain("hidden");
            }
        }
    }

    @Test
    void aBodyOverMaxBodyIsRefusedAsAnyAndCountedAsNotKept() {
        try (GatewayUnderTest gateway = start(right().section("quarantine: {max-body: 1KiB}"))) {
            send(gateway, 401, Stream.of(request(new byte[1025])));
            refuse(gateway, Stream.of(request(new byte[1024])));

            assertThat(gateway.metric("holdfast_quarantine_dropped_total{cause=\"too-large\"}"))
                    .isEqualTo(1);
            assertThat(list(gateway)).hasSize(1);
        }
    }

    @Test
    void theVerbsSayWhatIsMeantAndWhatCantBe() {
        try (LogLines log = LogLines.atInfo();
                GatewayUnderTest gateway = start(wrong())) {
            refuse(gateway, 5);

            assertThat(Verb.run(gateway, "quarantine").status()).isEqualTo(2);
            assertThat(Verb.run(gateway, "quarantine", "verify").status()).isEqualTo(2);
            assertThat(Verb.run(gateway, "quarantine", "discard", "--all").status())
                    .isEqualTo(2);
            assertThat(Verb.run(gateway, "quarantine", "list", "--cause", "rain")
                            .err())
                    .contains("cause: found rain, expected one of [missing, malformed, doubled, mismatch]");
            assertThat(Verb.run(gateway, "quarantine", "list", "--from", "5", "--to", "1")
                            .status())
                    .isEqualTo(2);
            Verb gone = Verb.run(gateway, "quarantine", "get", "77");
            assertThat(gone.status()).isEqualTo(1);
            assertThat(gone.err()).contains("found no request 77 in the quarantine");
            assertThat(gateway.manage("/api/v1/quarantine/verify", "{}").status())
                    .isEqualTo(400);

            Verb nowhere = Verb.run(gateway, "quarantine", "verify", "--endpoint", "nowhere");
            assertThat(nowhere.status()).isEqualTo(1);
            assertThat(nowhere.out().strip()).isEqualTo("found nothing of --endpoint nowhere");

            Verb newest = Verb.run(gateway, "quarantine", "list", "--last", "2");
            assertThat(newest.done()).containsPattern("(?s)\\n +5  .*\\n +4  ").hasLineCount(3);
            assertThat(newest.err()).contains("or --cursor ");
            assertThat(Verb.run(gateway, "quarantine", "discard", "--id", "2", "--reason", "a\nstray")
                            .done())
                    .contains("1 is discarded");
            assertThat(log.text())
                    .contains("quarantine.discard of anonymous from 127.0.0.1: id: 2, 1 of them, because: a stray");
            assertThat(list(gateway)).hasSize(4);
            assertThat(Verb.run(gateway, "quarantine", "discard", "--endpoint", "default", "--reason", "all")
                            .done())
                    .contains("4 are discarded");
            assertThat(list(gateway)).isEmpty();
        }
    }

    @Test
    void whatAStrangerWritesIsHarmlessWhereItIsShown() {
        String sent = "POST /webhook?a=%0d%0a HTTP/1.1\r\nHost: gateway\r\nX-Evil: \u00e9\u009b2J\tx\r\n"
                + "Content-Length: 9\r\n\r\n\u001b[2J\r\nid=";
        try (LogLines log = LogLines.atInfo();
                GatewayUnderTest gateway = start(right())) {
            refuse(gateway, Stream.of(sent.getBytes(ISO_8859_1)));

            String shown = Verb.run(gateway, "quarantine", "get", "1").done();

            assertThat(shown).contains("X-Evil: é").doesNotContain("\u001b", "\u009b");
            assertThat(log.text()).doesNotContain("\u001b", "\u009b", "X-Evil");
        }
    }

    @Test
    void aFloodOfBadSignaturesIsCountedToTheLastOneAndPushesAreTaken() {
        try (LogLines log = LogLines.atWarn();
                GatewayUnderTest gateway = start(right());
                RawConnection stranger = gateway.connect()) {
            byte[] bad = request(bytes("{}"), "Service-Signature: " + sign(bytes("{}"), WRONG_SECRET));
            for (int n = 1; n <= 30; n++) {
                for (int i = 0; i < 100; i++) {
                    stranger.send(bad);
                }
                assertThat(gateway.push(envelope("client.created", n)).status()).isEqualTo(200);
                for (int i = 0; i < 100; i++) {
                    assertThat(stranger.answer().status()).isEqualTo(401);
                }
            }

            eventually(() -> assertThat(gateway.metric("holdfast_quarantine_kept_total")
                            + gateway.metric("holdfast_quarantine_dropped_total{cause=\"rate\"}")
                            + gateway.metric("holdfast_quarantine_dropped_total{cause=\"busy\"}"))
                    .isEqualTo(3000));
            eventually(() -> assertThat(deliveries.handled()).hasSize(30));
            assertThat(log.lines().stream().filter(line -> line.contains("refused since")))
                    .hasSizeLessThan(3);
        }
    }

    @Test
    void damageInItKeepsTheGatewayFromNothing() throws IOException {
        try (GatewayUnderTest gateway = start(wrong())) {
            refuse(gateway, 5);
        }
        try (Stream<Path> files = Files.list(directory.resolve("data/quarantine"))) {
            for (Path file : files.toList()) {
                Files.writeString(file, "nonsense that is longer than a header and a head of a request together");
            }
        }

        try (LogLines log = LogLines.atWarn();
                GatewayUnderTest gateway = start(wrong())) {
            assertThat(list(gateway)).isEmpty();
            assertThat(notices(gateway)).contains("the quarantine: some of its files are damaged");
            assertThat(log.text()).contains("bytes that are no request");
            assertThat(gateway.isReady()).isTrue();
            refuse(gateway, 5);
            gateway.reconfigure(right(), directory);
            assertThat(verify(gateway).getInteger("pushes")).isEqualTo(5);
            eventually(() -> assertThat(deliveries.bodies()).isEqualTo(bodies(5)));
        }
    }
}
