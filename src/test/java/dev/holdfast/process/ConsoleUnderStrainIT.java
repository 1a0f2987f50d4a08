package dev.holdfast.process;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.RequestOptions;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the console says and does when answers are late or missing, and when things change while somebody looks at them. */
@Timeout(300)
final class ConsoleUnderStrainIT {
    private static final int MORE_THAN_A_PAGE = 60;
    private static final String DRAWN =
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))";

    /** When the overview was asked for since then. */
    private static final String ASKED = "performance.getEntriesByType('resource')"
            + ".filter(entry => entry.name.endsWith('/api/v1/overview') && entry.startTime > since)"
            + ".map(entry => entry.startTime)";

    private static @Nullable Playwright driver;
    private static @Nullable Browser chromium;

    @TempDir
    Path directory;

    private final PushClient client = new PushClient();
    private HttpServer refusing;
    private Installation installation;
    private Child gateway;
    private ConsoleBrowser console;

    @BeforeEach
    void start() throws Exception {
        Path executable = ConsoleBrowser.executable();
        if (chromium == null) {
            driver = ConsoleBrowser.driver();
            chromium = ConsoleBrowser.launch(driver, executable);
        }
        refusing = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        refusing.createContext("/", exchange -> {
            exchange.sendResponseHeaders(422, -1);
            exchange.close();
        });
        refusing.start();
        installation = new Installation(directory);
        installation.write("""
                receiver:
                  host: 127.0.0.1
                  port: 0
                  endpoints:
                    - {name: default, path: /webhook, secrets: ["${HOLDFAST_SECRET}"]}
                management:
                  port: 0
                journal:
                  set-aside: 0B
                consumers:
                  - {name: forward, events: ["client.*"], verticle: http, options: {url: "http://127.0.0.1:%d/"}}
                """.formatted(refusing.getAddress().getPort()));
        gateway = installation.running();
        console = new ConsoleBrowser(
                Objects.requireNonNull(chromium), gateway.management("/"), 1440, ColorScheme.LIGHT, false);
    }

    @AfterEach
    void remove() {
        // They are not there where there is no browser.
        if (installation != null) {
            console.close();
            installation.close();
            refusing.stop(0);
        }
    }

    @AfterAll
    static void leave() {
        if (driver != null) {
            driver.close();
        }
    }

    private void push(String event, String secret, int status) throws Exception {
        assertThat(client.send(gateway.webhook(), secret, event, 50).statusCode())
                .isEqualTo(status);
    }

    private void push(String event) throws Exception {
        push(event, Installation.SECRET, 200);
    }

    private Locator inDialog(String button) {
        return console.page()
                .getByRole(AriaRole.DIALOG)
                .getByRole(
                        AriaRole.BUTTON,
                        new Locator.GetByRoleOptions().setName(button).setExact(true));
    }

    @Test
    void anAnswerThatComesLateIsNotTakenForThatOfANewerQuestion() throws Exception {
        push("conversation.created");
        console.go("Pushes");
        assertThat(console.rows()).hasCount(1);
        Page page = console.page();
        List<Route> held = new ArrayList<>();
        page.route("**/api/v1/pushes?event=no.such*", held::add);
        page.waitForRequest("**/api/v1/pushes?event=no.such*", () -> {
            page.locator("#filter-value").fill("no.such");
            console.button("Add filter").click();
        });
        console.button("Clear all").click();
        assertThat(console.rows()).hasCount(1);

        page.waitForResponse(
                        "**/api/v1/pushes?event=no.such*", () -> held.get(0).resume())
                .finished();
        page.evaluate(DRAWN);

        assertThat(console.rows()).hasCount(1);
        assertThat(console.text("No push yet")).hasCount(0);
        assertThat(console.complaints()).isEmpty();
    }

    @Test
    void aGatewayThatHangsIsSaidNotToAnswer() throws Exception {
        assertThat(console.text("All is well")).isVisible();
        // It waits for two seconds in place of thirty, and so asks again sooner, too.
        console.page()
                .evaluate("() => { const timeout = AbortSignal.timeout.bind(AbortSignal);"
                        + " AbortSignal.timeout = millis => timeout(millis / 15); }");

        gateway.signal("STOP");
        assertThat(console.text("The gateway does not answer. Is it running")).isVisible();
        assertThat(console.text("All is well")).hasCount(0);
        gateway.signal("CONT");

        assertThat(console.text("The gateway does not answer. Is it running")).hasCount(0);
        assertThat(console.text("All is well")).isVisible();
    }

    @Test
    void noRequestIsDiscardedThatCameAfterTheyWereCounted() throws Exception {
        push("client.created", "not-the-secret-of-this-gateway-01", 401);
        console.go("Quarantine");
        console.button("Discard all…").click();
        assertThat(console.page().locator("dialog .counted")).hasText("1 request.");
        push("client.deleted", "not-the-secret-of-this-gateway-01", 401);
        assertThat(console.rows()).hasCount(2);

        console.page().getByLabel("Reason").fill("a stray");
        inDialog("Discard").click();

        assertThat(console.rows()).hasCount(1);
        assertThat(console.rows().first()).containsText("client.deleted");
    }

    @Test
    void noDeadLetterIsDiscardedThatBecameOneAfterTheyWereCounted() throws Exception {
        push("client.created");
        console.go("Dead letters");
        assertThat(console.rows()).hasCount(1);
        ask("pause");
        push("client.updated");
        console.button("Discard all…").click();
        assertThat(console.page().locator("dialog .counted")).hasText("1 dead letter.");
        ask("resume");
        push("client.deleted");
        assertThat(console.rows()).hasCount(3);

        console.page().getByLabel("Reason").fill("of a test");
        inDialog("Discard").click();

        Locator discarded = console.page()
                .getByRole(AriaRole.TABLE, new Page.GetByRoleOptions().setName("Discarded dead letters"))
                .locator("tbody tr");
        assertThat(discarded).hasCount(1);
        assertThat(discarded).containsText("client.created");
        assertThat(console.page()
                        .getByRole(
                                AriaRole.TABLE,
                                new Page.GetByRoleOptions()
                                        .setName("Dead letters")
                                        .setExact(true))
                        .locator("tbody tr"))
                .hasCount(2);
    }

    /** Of the consumer, as another operator does. */
    private void ask(String action) {
        console.page()
                .request()
                .post(
                        gateway.management("/api/v1/consumers/forward/" + action)
                                .toString(),
                        RequestOptions.create().setData("{}").setHeader("Content-Type", "application/json"));
    }

    @Test
    void whoStopsTheTailIsNotToldThatThereIsNothingMore() throws Exception {
        for (int i = 0; i < MORE_THAN_A_PAGE; i++) {
            push("conversation.created");
        }
        console.go("Pushes");
        assertThat(console.button("Show more")).isVisible();

        console.button("Live tail").click();
        assertThat(console.button("Show more")).hasCount(0);
        console.button("Stop the live tail").click();

        assertThat(console.button("Live tail")).isVisible();
        assertThat(console.text("There is nothing more")).hasCount(0);
    }

    @Test
    void anAddressThatCannotBeReadLeadsToAPage() {
        console.page().evaluate("location.hash = '#/consumers/%zz'");
        console.page().reload();

        assertThat(console.page().locator("h1")).hasCount(1);
        assertThat(console.text("found no consumer %zz")).isVisible();
    }

    @Test
    void anAddressThatEndsWithASlashLeadsToTheList() {
        for (String list : List.of("Pushes", "Consumers", "Quarantine")) {
            console.page().evaluate("location.hash = '#/" + list.toLowerCase(Locale.ROOT) + "/'");

            assertThat(console.page().locator("h1")).hasText(list);
        }
        assertThat(console.complaints()).isEmpty();
    }

    @Test
    void whatASharedAddressNamesIsAskedForByItsNameAlone() {
        console.page().evaluate("location.hash = '#/pushes/1%2F..%2F..%2Fconsumers'");

        assertThat(console.text("That did not work.")).isVisible();
        assertThat(console.complaints()).allMatch(complaint -> complaint.contains("40"));
    }

    /** The page without an address of its own, which has one once its name in the navigation is pressed. */
    @Test
    void aPageThatIsPressedAgainDoesNotAskTwiceAsOften() {
        Page page = console.page();
        assertThat(console.text("Newest pushes")).isVisible();
        double pressed = ((Number) page.evaluate("performance.now()")).doubleValue();
        console.go("Overview");
        page.waitForFunction("since => " + ASKED + ".length > 3", pressed);

        List<?> asked = (List<?>) page.evaluate("since => " + ASKED, pressed);
        for (int i = 1; i < asked.size(); i++) {
            assertThat(number(asked.get(i)) - number(asked.get(i - 1))).isGreaterThan(1_900);
        }
    }

    private static double number(Object value) {
        return ((Number) value).doubleValue();
    }

    @Test
    void whoHasLoggedInIsNotLoggedOutByTheAnswerToAnEarlierQuestion() {
        Page page = console.page();
        List<Route> late = new ArrayList<>();
        console.go("Consumers");
        page.route("**/api/v1/overview", late::add);
        page.waitForCondition(() -> !late.isEmpty());
        console.button("Pause forward").click();
        page.route("**/api/v1/consumers", ConsoleUnderStrainIT::deny);
        assertThat(page.getByLabel("Management token")).isFocused();
        assertThat(page.locator("dialog")).hasCount(0);
        page.unroute("**/api/v1/consumers");
        page.getByLabel("Management token").fill("any-is-right-here");
        console.button("Log in").click();
        assertThat(console.rows()).hasCount(1);

        deny(late.get(0));

        page.waitForResponse("**/api/v1/consumers", () -> {});
        page.waitForResponse("**/api/v1/consumers", () -> {});
        assertThat(page.getByLabel("Management token")).hasCount(0);
    }

    private static void deny(Route route) {
        route.fulfill(new Route.FulfillOptions().setStatus(401).setBody("{}"));
    }

    @Test
    void aDialogGoesWithThePageThatItWasOpenedOn() {
        Page page = console.page();
        console.go("Consumers");
        console.button("Pause forward").click();
        assertThat(inDialog("Pause")).isVisible();

        page.goBack();

        assertThat(page.locator("h1")).hasText("Overview");
        assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);
    }

    /** As HTTP/2 has it, and a proxy on the way. */
    @Test
    void anErrorWithoutWordsIsShownByItsStatus() {
        console.page()
                .route(
                        "**/api/v1/consumers",
                        route -> route.fulfill(
                                new Route.FulfillOptions().setStatus(520).setBody("<html></html>")));
        console.go("Consumers");

        assertThat(console.text("That did not work. The answer was 520")).isVisible();
    }

    @Test
    void whatTheDiskDoesNotSayIsShownAsUnknown() throws Exception {
        console.go("Gateway");
        assertThat(console.page().getByLabel("Disk in use")).isVisible();
        Path away = directory.resolve("away");
        Files.move(directory.resolve("data"), away);

        assertThat(console.text("unknown: the disk does not say")).isVisible();
        assertThat(console.page().getByLabel("Disk in use")).hasCount(0);
        Files.move(away, directory.resolve("data"));
        assertThat(console.page().getByLabel("Disk in use")).isVisible();
    }

    @Test
    void noColumnsNameCoversWhatStandsInItOnANarrowScreen() throws Exception {
        push("client.created", "a-secret-that-is-not-the-right-one", 401);
        console.page().setViewportSize(390, 900);
        console.page().evaluate("location.hash = '#/quarantine'");

        assertThat(console.rows()).hasCount(1);
        assertThat(console.page()
                        .evaluate("[...document.querySelectorAll('td[data-name]:not(.actions)')].filter(cell => {"
                                + "const name = getComputedStyle(cell, '::before');"
                                + "return parseFloat(name.width) > parseFloat(getComputedStyle(cell).paddingLeft)"
                                + "  || parseFloat(name.height) > cell.clientHeight;"
                                + "}).map(cell => cell.dataset.name)"))
                .isEqualTo(List.of());
    }

    @Test
    void ofManyConsumersThoseFurthestBehindAreDrawn() throws Exception {
        int port = gateway.management("/").getPort();
        gateway.close();
        StringBuilder more = new StringBuilder("consumers:");
        for (int i = 1; i <= 7; i++) {
            more.append("\n  - {name: quick-" + i + ", events: [\"none\"], verticle: log}");
        }
        more.append("\n  - {name: stuck, events: [\"*\"], verticle: http, options: {url: \"http://127.0.0.1:1/\"}}");
        installation.edit("consumers:", more.toString());
        installation.edit("management:\n  port: 0", "management:\n  port: " + port);
        installation.option("-Xmx1g");
        gateway = installation.running();
        push("conversation.created");

        Locator drawn = console.page().locator(".plots .panel").nth(2).locator(".legend li");
        assertThat(drawn).hasCount(6);
        assertThat(drawn.last()).hasText("stuck");
    }

    @Test
    void aSearchThatTakesLongIsMadeLessOften() {
        Page page = console.page();
        List<Long> asked = new ArrayList<>();
        page.route("**/api/v1/quarantine?*", route -> {
            asked.add(System.nanoTime());
            page.waitForTimeout(2_000);
            route.resume();
        });
        console.go("Quarantine");
        page.waitForCondition(() -> asked.size() == 2);

        assertThat(asked.get(1) - asked.get(0)).isGreaterThan(8_000_000_000L);
    }

    @Test
    void whatComesOfACountAndOfAnActionWhoseDialogWasClosedIsSaid() throws Exception {
        push("client.created");
        console.go("Dead letters");
        Page page = console.page();
        page.route(
                "**/api/v1/dead-letters/retry",
                route ->
                        route.fulfill(new Route.FulfillOptions().setStatus(500).setBody("{\"detail\":\"it failed\"}")));
        console.button("Retry all…").click();
        assertThat(console.text("it failed")).isVisible();
        assertThat(console.text("Counting…")).hasCount(0);
        inDialog("Cancel").click();

        List<Route> held = new ArrayList<>();
        page.route("**/api/v1/dead-letters/discard", route -> {
            if (route.request().postData().contains("dryRun")) {
                route.resume();
            } else {
                held.add(route);
            }
        });
        discardAndClose(held);
        held.remove(0).fulfill(new Route.FulfillOptions().setStatus(500).setBody("{\"detail\":\"it failed\"}"));
        assertThat(console.text("That did not work. it failed")).isVisible();

        discardAndClose(held);
        page.goBack();
        held.remove(0).resume();

        assertThat(console.text("1 dead letter is discarded.")).isVisible();
        assertThat(page.locator("h1")).hasText("Overview");
    }

    private void discardAndClose(List<Route> held) {
        console.button("Discard all…").click();
        console.page().getByLabel("Reason").fill("of a test");
        inDialog("Discard").click();
        console.page().waitForCondition(() -> !held.isEmpty());
        inDialog("Close").click();
        assertThat(console.page().getByRole(AriaRole.DIALOG)).hasCount(0);
    }

    @Test
    void aReplayIsAskedForOnceAndOnItsPageAlone() throws Exception {
        push("client.created");
        Page page = console.page();
        // No number of a script's is as exact.
        page.evaluate("location.hash = '#/pushes?to=" + Long.MAX_VALUE + "'");
        assertThat(console.rows()).hasCount(1);
        List<Route> held = new ArrayList<>();
        page.route("**/api/v1/consumers", held::add);
        console.button("Replay these…").click();
        console.button("Replay these…").click();
        page.waitForCondition(() -> held.size() == 2);
        held.forEach(Route::resume);
        assertThat(page.locator("dialog .counted")).hasText("1 push, 1 delivery.");
        assertThat(page.locator("dialog")).hasCount(1);
        inDialog("Cancel").click();

        held.clear();
        console.button("Replay these…").click();
        page.waitForCondition(() -> !held.isEmpty());
        console.go("Ledger");
        page.waitForResponse("**/api/v1/consumers", () -> held.get(0).resume()).finished();
        page.evaluate(DRAWN);

        assertThat(page.locator("dialog")).hasCount(0);
    }

    /** As that of a demo is, or of a gateway whose data are lost. */
    @Test
    void pushesOfAnotherJournalAreNotShownForThoseOfThisOne() throws Exception {
        push("conversation.created");
        push("conversation.created");
        assertThat(console.link("conversation.created")).hasCount(2);
        int port = gateway.management("/").getPort();
        gateway.close();
        Files.move(directory.resolve("data"), directory.resolve("away"));
        installation.edit("management:\n  port: 0", "management:\n  port: " + port);
        gateway = installation.running();
        push("client.updated");

        assertThat(console.link("client.updated")).isVisible();
        assertThat(console.link("conversation.created")).hasCount(0);
    }

    @Test
    void neitherAConsumerThatIsGoneNorTheLedgerOfAnotherTimeIsShown() {
        Page page = console.page();
        console.go("Consumers");
        console.link("forward").click();
        assertThat(console.heading("State")).isVisible();

        page.route(
                "**/api/v1/consumers/forward",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setStatus(404)
                        .setBody("{\"detail\":\"found no consumer forward\"}")));

        assertThat(console.text("found no consumer forward")).isVisible();
        assertThat(console.heading("State")).hasCount(0);
        assertThat(console.button("Pause forward")).hasCount(0);
        page.unroute("**/api/v1/consumers/forward");
        assertThat(console.heading("State")).isVisible();

        console.go("Ledger");
        assertThat(console.heading("Starts and downtime")).isVisible();
        page.evaluate("location.hash = '#/ledger?since=yesterday'");
        assertThat(console.text("since: found yesterday")).isVisible();
        assertThat(console.heading("Starts and downtime")).hasCount(0);
    }

    @Test
    void aTimeIsNotTakenForOneOfTodayByWhoComesBackTheNextDay() throws Exception {
        push("conversation.created");
        console.go("Pushes");
        assertThat(console.rows()).hasCount(1);
        Page page = console.page();
        String received = page.locator("tbody time").textContent();

        page.clock().setSystemTime(System.currentTimeMillis() + 86_400_000);
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");

        assertThat(page.locator("tbody time")).hasText(Pattern.compile("\\d{4}-\\d\\d-\\d\\d " + received));
    }
}
