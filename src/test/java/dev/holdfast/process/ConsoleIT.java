package dev.holdfast.process;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The console in a real browser, at a gateway with pushes, a receiver that fails some of them, and a wrong secret. */
@Timeout(300)
final class ConsoleIT {
    private static final String BRAND_SECRET = "the-secret-of-brand-b-0123456789";
    private static final String WRONG_SECRET = "not-the-secret-of-brand-b-at-all";
    private static final String TOKEN = "management-token-of-the-console-0123456789";

    /** One for all tests: what takes longest is its start. */
    private static @Nullable Playwright driver;

    private static @Nullable Browser chromium;

    @TempDir
    Path directory;

    private final PushClient client = new PushClient();
    private HttpServer receiver;
    /** What the receiver answers to {@code client.deleted}. */
    private volatile int answer = 422;

    private Installation installation;
    private Child gateway;

    @BeforeEach
    void start() throws Exception {
        Path executable = ConsoleBrowser.executable();
        if (chromium == null) {
            driver = ConsoleBrowser.driver();
            chromium = ConsoleBrowser.launch(driver, executable);
        }
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(body.contains("client.deleted") ? answer : 200, -1);
            exchange.close();
        });
        receiver.start();
        installation = new Installation(directory);
        installation.keepSecret(BRAND_SECRET);
        installation.keepSecret(TOKEN);
        installation.set("BRAND_SECRET", BRAND_SECRET);
        installation.set("WRONG_SECRET", WRONG_SECRET);
        installation.set("MANAGEMENT_TOKEN", TOKEN);
        configure("");
    }

    @AfterEach
    void remove() {
        // They are not there where there is no browser.
        if (installation != null) {
            installation.close();
            receiver.stop(0);
        }
    }

    @AfterAll
    static void leave() {
        if (driver != null) {
            driver.close();
        }
    }

    private void configure(String management) throws IOException, InterruptedException {
        installation.write("""
                receiver:
                  host: 127.0.0.1
                  port: 0
                  endpoints:
                    - {name: default, path: /webhook, secrets: ["${HOLDFAST_SECRET}"]}
                    - {name: brand-b, path: /brand-b, secrets: ["${WRONG_SECRET}"]}
                  drain-delay: 0s
                management:
                  port: 0
                %s
                journal:
                  set-aside: 0B
                consumers:
                  - {name: archive, events: ["*"], verticle: file, options: {directory: archive}}
                  - {name: forward, events: ["client.*"], verticle: http, options: {url: "http://127.0.0.1:%d/"}}
                  - {name: crm, events: ["conversation.closed"], verticle: http, options: {url: "http://127.0.0.1:1/"}}
                """.formatted(management, receiver.getAddress().getPort()));
        gateway = installation.running();
    }

    private void push(String event) throws Exception {
        assertThat(client.send(gateway.webhook(), Installation.SECRET, event, 50)
                        .statusCode())
                .isEqualTo(200);
    }

    private ConsoleBrowser open(int width, ColorScheme scheme, boolean keyboard) {
        return new ConsoleBrowser(Objects.requireNonNull(chromium), gateway.management("/"), width, scheme, keyboard);
    }

    private static void confirm(ConsoleBrowser console, String counted, String action) {
        Locator dialog = console.page().getByRole(AriaRole.DIALOG);
        assertThat(dialog.locator(".counted")).containsText(counted);
        console.press(dialog.getByRole(
                AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(action).setExact(true)));
        assertThat(dialog).hasCount(0);
    }

    @ParameterizedTest
    @CsvSource({"1440, LIGHT, false", "390, DARK, true"})
    void anOperatorSeesFindsAndMends(int width, ColorScheme scheme, boolean keyboard) throws Exception {
        try (ConsoleBrowser console = open(width, scheme, keyboard)) {
            watch(console);
            find(console);
            replay(console);
            retry(console);
            pause(console);
            verify(console);
            look(console);
            theme(console, scheme);
            assertThat(console.complaints()).isEmpty();
        }
    }

    /** Pushes appear as they are accepted, and what is wrong is told. */
    private void watch(ConsoleBrowser console) throws Exception {
        assertThat(console.text("No push yet")).isVisible();
        push("conversation.created");
        push("conversation.closed");
        push("client.deleted");
        URI brand = URI.create(gateway.webhook().toString().replace("/webhook", "/brand-b"));
        assertThat(client.send(brand, BRAND_SECRET, "client.created", 50).statusCode())
                .isEqualTo(401);
        assertThat(console.link("conversation.created")).isVisible();
        assertThat(console.link("client.deleted")).isVisible();
        assertThat(console.page().locator("nav a[href='#/dead-letters'] .count"))
                .hasText("1");
        assertThat(console.page().locator("canvas")).hasCount(4);
        console.inspect("overview");
    }

    /** A filter that can be shared leads to a push, with its body and its deliveries. */
    private void find(ConsoleBrowser console) {
        console.go("Pushes");
        assertThat(console.rows()).hasCount(3);
        console.inspect("pushes");
        console.write(console.page().locator("#filter-value"), "client.*");
        console.press(console.button("Add filter"));
        assertThat(console.rows()).hasCount(1);
        assertThat(console.page()).hasURL(Pattern.compile(".*#/pushes\\?event=client\\.\\*"));
        console.press(console.link("client.deleted"));
        assertThat(console.heading("client.deleted")).isVisible();
        assertThat(delivery(console, "archive")).containsText("handled");
        assertThat(delivery(console, "forward")).containsText("dead");
        assertThat(delivery(console, "forward")).containsText("422");
        assertThat(delivery(console, "crm")).containsText("not subscribed");
        assertThat(console.text("dev_client_id")).hasCount(0);
        console.press(console.button("Show body"));
        assertThat(console.page().locator("pre.body")).containsText("\"dev_client_id\": \"dev-3\"");
        console.inspect("push");
        console.press(console.button("Raw"));
        assertThat(console.page().locator("pre.body")).containsText("\"dev_client_id\":\"dev-3\"");
    }

    private static Locator delivery(ConsoleBrowser console, String consumer) {
        return console.page().locator(".step").filter(new Locator.FilterOptions().setHasText(consumer));
    }

    /** From the push before, with a count. */
    private void replay(ConsoleBrowser console) {
        console.go("Pushes");
        console.press(console.link("conversation.created"));
        console.press(console.button("Replay from here…"));
        console.inspect("replay-dialog");
        confirm(console, "3 pushes, 5 deliveries", "Replay");
        assertThat(console.heading("Replays")).isVisible();
        assertThat(console.rows()).hasCount(1);
        console.inspect("replays");
    }

    /** A dead letter is seen, and goes once its receiver is mended. */
    private void retry(ConsoleBrowser console) {
        console.go("Dead letters");
        assertThat(console.rows()).hasCount(1);
        console.inspect("dead-letters");
        answer = 200;
        console.press(console.button("Retry all…"));
        confirm(console, "1 dead letter", "Retry");
        assertThat(console.text("No dead letters")).isVisible();
        console.inspect("no-dead-letters");
    }

    /** A consumer that can't reach its receiver says so; another one is paused and goes on. */
    private void pause(ConsoleBrowser console) {
        console.go("Consumers");
        assertThat(console.rows()).hasCount(3);
        console.press(console.button("Pause archive"));
        Locator dialog = console.page().getByRole(AriaRole.DIALOG);
        console.press(dialog.getByRole(
                AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Pause").setExact(true)));
        assertThat(console.button("Resume archive")).isFocused();
        console.inspect("consumers");
        console.press(console.button("Resume archive"));
        assertThat(console.button("Pause archive")).isFocused();
        console.press(console.link("crm"));
        assertThat(console.rows()).hasCount(1);
        assertThat(console.rows().first()).containsText("conversation.closed");
        console.inspect("consumer");
    }

    /** What a wrong secret refused becomes pushes once it is mended. */
    private void verify(ConsoleBrowser console) throws Exception {
        console.go("Quarantine");
        assertThat(console.rows()).hasCount(1);
        console.inspect("quarantine");
        console.press(console.rows().first().getByRole(AriaRole.LINK));
        assertThat(console.text("Service-Signature")).isVisible();
        console.inspect("quarantined");
        installation.edit("${WRONG_SECRET}", "${BRAND_SECRET}");
        gateway.awaitLog("the changed configuration is in force");
        console.press(console.button("Verify…"));
        confirm(console, "1 push would be delivered", "Verify");
        assertThat(console.text("The quarantine is empty")).isVisible();
        console.go("Pushes");
        assertThat(console.rows()).hasCount(4);
        assertThat(console.rows().first()).containsText("late");
    }

    /** What is only looked at. */
    private void look(ConsoleBrowser console) {
        console.go("Ledger");
        assertThat(console.rows().first()).isVisible();
        console.inspect("ledger");
        console.go("Audit");
        assertThat(console.text("pause").first()).isVisible();
        console.inspect("audit");
        console.go("Gateway");
        assertThat(console.heading("Endpoints")).isVisible();
        assertThat(console.page().locator("main")).not().containsText(Installation.SECRET);
        console.inspect("gateway");
    }

    private void theme(ConsoleBrowser console, ColorScheme scheme) {
        console.go("Overview");
        String other = scheme == ColorScheme.DARK ? "light" : "dark";
        Locator menu = console.button("Menu");
        if (menu.isVisible()) {
            console.press(menu);
        }
        console.press(console.button(other.equals("light") ? "Light theme" : "Dark theme"));
        assertThat(console.page().locator("html")).hasAttribute("data-theme", other);
        assertThat(console.page().locator("canvas")).hasCount(4);
        console.inspect("overview-" + other);
        console.page().reload();
        assertThat(console.page().locator("html")).hasAttribute("data-theme", other);
    }

    @Test
    void aPushThatIsRetriedIsSeenToBeHandled() throws Exception {
        push("client.deleted");
        try (ConsoleBrowser console = open(1440, ColorScheme.LIGHT, false)) {
            console.link("client.deleted").click();
            assertThat(delivery(console, "forward")).containsText("dead");
            answer = 200;
            console.button("Retry…").click();
            confirm(console, "1 dead letter", "Retry");

            assertThat(delivery(console, "forward")).containsText("handled");
        }
    }

    @Test
    void aReplayIsOfferedToConsumersThatAreConfigured() throws Exception {
        push("client.deleted");
        installation.edit("{name: crm,", "{name: sales,");
        gateway.awaitLog("the changed configuration is in force");
        try (ConsoleBrowser console = open(1440, ColorScheme.LIGHT, false)) {
            console.go("Consumers");
            assertThat(console.link("crm")).isVisible();
            console.go("Pushes");
            console.press(console.button("Replay these…"));

            assertThat(console.page().getByRole(AriaRole.DIALOG).locator("option"))
                    .hasText(new String[] {"Every consumer that wants them", "archive", "forward", "sales"});
        }
    }

    @Test
    void whatCouldNotBeLoadedIsTriedAgain() throws Exception {
        try (ConsoleBrowser console = open(390, ColorScheme.LIGHT, true)) {
            console.page().route("**/api/v1/ledger*", Route::abort);
            console.go("Ledger");
            assertThat(console.text("The gateway does not answer. Is it running"))
                    .isVisible();
            console.inspect("not-loaded");
            console.page().unroute("**/api/v1/ledger*");
            console.press(console.button("Try again"));
            assertThat(console.heading("Starts and downtime")).isVisible();
            assertThat(console.heading("Ledger")).isFocused();
            assertThat(console.page().getByRole(AriaRole.ALERT)).hasCount(0);
            assertThat(console.complaints()).allMatch(complaint -> complaint.contains("ERR_FAILED"));
        }
    }

    @Test
    void thatThereIsNoPushIsSaidOnceItIsKnown() throws Exception {
        try (ConsoleBrowser console = open(1440, ColorScheme.LIGHT, false)) {
            console.page().route("**/api/v1/pushes*", Route::abort);
            console.page().reload();
            assertThat(console.heading("Refused since the start")).isVisible();
            assertThat(console.text("No push yet")).hasCount(0);
            console.go("Pushes");
            assertThat(console.text("That did not work.")).isVisible();
            console.button("Live tail").click();
            assertThat(console.button("Stop the live tail")).isVisible();
            assertThat(console.text("That did not work.")).hasCount(0);
            assertThat(console.text("No push yet")).hasCount(0);
            console.button("Stop the live tail").click();
            assertThat(console.text("That did not work.")).isVisible();
            assertThat(console.text("No push yet")).hasCount(0);
            console.go("Overview");
            console.page().unroute("**/api/v1/pushes*");

            assertThat(console.text("No push yet")).isVisible();
        }
    }

    @Test
    void anActionThatFailsWithoutADialogSaysSo() throws Exception {
        try (ConsoleBrowser console = open(1440, ColorScheme.LIGHT, false)) {
            console.go("Consumers");
            console.press(console.button("Pause archive"));
            Locator dialog = console.page().getByRole(AriaRole.DIALOG);
            console.press(dialog.getByRole(
                    AriaRole.BUTTON,
                    new Locator.GetByRoleOptions().setName("Pause").setExact(true)));
            console.page()
                    .route(
                            "**/resume",
                            route -> route.fulfill(new Route.FulfillOptions()
                                    .setStatus(500)
                                    .setContentType("application/problem+json")
                                    .setBody("{\"detail\":\"it failed; the log says why\"}")));
            console.press(console.button("Resume archive"));

            assertThat(console.text("it failed; the log says why")).isVisible();
        }
    }

    @Test
    void hostileTextIsShownAndDoesNothing() throws Exception {
        String markup = "<img src=x onerror=alert(1)><script>alert(2)</script>";
        String body = """
                {"id":"%s","event":"client.\u202enab","enterprise_token":"\\u001b[31me1","text":"%s","long":"%s"}""".formatted(markup, "\u202e\u200f\u200b\\u0007", "A".repeat(1_000_000));
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        assertThat(client.send(gateway.webhook(), Installation.SECRET, bytes).statusCode())
                .isEqualTo(200);
        try (ConsoleBrowser console = open(390, ColorScheme.LIGHT, false)) {
            console.go("Pushes");
            assertThat(console.rows().first()).containsText("client.⟨U+202E⟩nab");
            assertThat(console.rows().first()).containsText("⟨ESC⟩[31me1");
            console.rows().first().getByRole(AriaRole.LINK).first().click();
            assertThat(console.page().locator("main")).containsText(markup);
            console.button("Show body").click();
            assertThat(console.page().locator("pre.body")).containsText("⟨U+202E⟩⟨U+200F⟩⟨U+200B⟩");
            assertThat(console.page().locator("pre.body")).not().containsText("\u202e");
            console.inspect("hostile");
            console.button("Show all").click();
            assertThat(console.text("Show all")).hasCount(0);
            assertThat(console.page().locator("main img, main script")).hasCount(0);
            int width = (Integer) console.page().evaluate("document.documentElement.scrollWidth");
            assertThat(width).isLessThanOrEqualTo(390);
            wholeCharacters(console);
            assertThat(console.complaints()).isEmpty();
        }
    }

    /** Of one that is cut in two nothing is shown; of the mark that a body may begin with everything. */
    private void wholeCharacters(ConsoleBrowser console) throws Exception {
        String body = "\ufeff{\"id\":\"1\",\"event\":\"client.updated\",\"enterprise_token\":\"" + "x".repeat(39)
                + "😀 and more\"}";
        assertThat(client.send(gateway.webhook(), Installation.SECRET, body.getBytes(StandardCharsets.UTF_8))
                        .statusCode())
                .isEqualTo(200);
        console.go("Pushes");
        assertThat(console.rows().first()).containsText("x".repeat(39) + "…");
        console.link("client.updated").click();
        console.button("Show body").click();
        assertThat(console.page().locator("pre.body")).containsText("⟨U+FEFF⟩{");
    }

    @Test
    void whoHasTheTokenComesIn() throws Exception {
        gateway.close();
        configure("  token: ${MANAGEMENT_TOKEN}");
        try (ConsoleBrowser console = open(1440, ColorScheme.LIGHT, true)) {
            Locator field = console.page().getByLabel("Management token");
            assertThat(field).isVisible();
            console.write(field, "令牌");
            console.press(console.button("Log in"));
            assertThat(console.text("That has a character that no token has: expected visible ASCII only."))
                    .isVisible();
            console.page().keyboard().press("Control+A");
            console.write(field, "not-the-token");
            console.press(console.button("Log in"));
            assertThat(console.text("That is not the token of this gateway.")).isVisible();
            console.inspect("login");
            console.page().keyboard().press("Control+A");
            console.write(field, TOKEN);
            console.press(console.button("Log in"));
            assertThat(console.text("No push yet")).isVisible();
            console.go("Consumers");
            assertThat(console.rows()).hasCount(3);
            console.page().reload();
            assertThat(console.rows()).hasCount(3);
            console.press(console.button("Log out"));
            assertThat(field).isVisible();
            assertThat(console.complaints()).allMatch(complaint -> complaint.contains("401"));
        }
    }

    @Test
    void aFloodIsSampledAndSaidToBe() throws Exception {
        try (ConsoleBrowser console = open(1440, ColorScheme.DARK, false)) {
            console.go("Pushes");
            console.button("Live tail").click();
            assertThat(console.button("Stop the live tail")).isVisible();
            push("client.updated");
            assertThat(console.rows()).hasCount(1);
            // Over within a second, as a rule: nothing comes after what is left out, and it must be said all the same.
            Traffic flood = Traffic.start(gateway.webhook(), Installation.SECRET, 2000, 0);
            flood.awaitAnswers(300);
            flood.stop();
            assertThat(console.text("more came in and are not shown here")).isVisible();
            assertThat(console.rows().first()).isVisible();
            assertThat(console.rows().count()).isLessThanOrEqualTo(100);
            console.inspect("live-tail");
            console.button("Stop the live tail").click();
            assertThat(console.button("Live tail")).isVisible();
            assertThat(console.text("more came in and are not shown here")).isVisible();
            assertThat(console.complaints()).isEmpty();
        }
    }
}
