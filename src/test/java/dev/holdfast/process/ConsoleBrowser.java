package dev.holdfast.process;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.CheckedNode;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Chromium on the console of a gateway, without a screen. What the page complains of, and what a page of another origin is
 * asked for, is noted.
 */
final class ConsoleBrowser implements AutoCloseable {
    private static final List<String> NAMES =
            List.of("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome");
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final int HEIGHT = 900;
    private static final int ENOUGH_MILLIS = 60_000;
    /** More presses of Tab than any page has places to be. */
    private static final int MOST_TABS = 400;

    private final BrowserContext context;
    private final Page page;
    private final int width;
    private final boolean keyboard;
    private final List<String> complaints = new ArrayList<>();

    /**
     * @param chromium from {@link #launch}
     * @param keyboard whether the keyboard alone is used
     */
    ConsoleBrowser(Browser chromium, URI console, int width, ColorScheme scheme, boolean keyboard) {
        this.width = width;
        this.keyboard = keyboard;
        context = chromium.newContext(new Browser.NewContextOptions()
                .setBaseURL(console.toString())
                .setViewportSize(width, HEIGHT)
                .setColorScheme(scheme)
                .setReducedMotion(ReducedMotion.REDUCE));
        page = context.newPage();
        page.onConsoleMessage(message -> {
            if (message.type().equals("error") || message.type().equals("warning")) {
                complaints.add(message.text());
            }
        });
        page.onPageError(complaints::add);
        page.onDialog(dialog -> {
            complaints.add("a dialog: " + dialog.message());
            dialog.dismiss();
        });
        page.onRequest(request -> {
            if (!request.url().startsWith(console.toString())
                    && !request.url().startsWith("blob:" + console.toString())) {
                complaints.add("asked for " + request.url());
            }
        });
        PlaywrightAssertions.setDefaultAssertionTimeout(ENOUGH_MILLIS);
        page.navigate(console.toString());
    }

    /** What drives a browser. It would download one of its own, but for what it is told here. */
    static Playwright driver() {
        return Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    }

    static Browser launch(Playwright driver, Path executable) {
        return driver.chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(executable)
                        // For root, as whom tests run where they are alone on a machine.
                        .setArgs(List.of("--no-sandbox")));
    }

    /** The distribution's Chromium; aborts the test where there is none. */
    static Path executable() {
        Path[] places = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(Path::of)
                .toArray(Path[]::new);
        for (String name : NAMES) {
            for (Path place : places) {
                if (Files.isExecutable(place.resolve(name))) {
                    return place.resolve(name);
                }
            }
        }
        return abort("found none of " + NAMES + " on the PATH, so the console is not tried in a browser");
    }

    Page page() {
        return page;
    }

    /** What the page complained of until now. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    Locator button(String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator link(String name) {
        return page.getByRole(
                AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator heading(String name) {
        return page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName(name));
    }

    /** Whatever the page has a word or two of. */
    Locator text(String text) {
        return page.getByText(text);
    }

    /** A row of a table, or what has become of it on a narrow screen. */
    Locator rows() {
        return page.locator("main tbody tr");
    }

    /** Presses it: with the mouse, or by Tab until it has the focus and Enter. */
    void press(Locator target) {
        if (keyboard) {
            reach(target);
            page.keyboard().press("Enter");
        } else {
            target.click();
        }
    }

    /** Writes into a field. */
    void write(Locator field, String text) {
        if (keyboard) {
            reach(field);
            page.keyboard().type(text);
        } else {
            field.fill(text);
        }
    }

    private void reach(Locator target) {
        assertThat(target).isEnabled();
        for (int i = 0; i < MOST_TABS; i++) {
            if (hasFocus(target)) {
                return;
            }
            page.keyboard().press("Tab");
        }
        throw new AssertionError("Tab does not lead to " + target);
    }

    private static boolean hasFocus(Locator target) {
        return (Boolean) target.evaluate("element => element === document.activeElement");
    }

    /** Goes to one of the navigation's pages. */
    void go(String name) {
        Locator menu = button("Menu");
        if (menu.isVisible()) {
            press(menu);
        }
        press(page.locator("nav a").filter(new Locator.FilterOptions().setHasText(name)));
        assertThat(page.locator("h1")).hasText(name);
    }

    /** Keeps what is seen, and looks that axe finds nothing to complain of in it. */
    void inspect(String name) {
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(SCREENSHOTS.resolve(name + "-" + width + ".png"))
                .setFullPage(true));
        List<Rule> violations =
                new AxeBuilder(page).setLegacyMode(true).analyze().getViolations();
        assertThat(violations.stream().map(ConsoleBrowser::shown)).as(name).isEmpty();
    }

    private static String shown(Rule rule) {
        return rule.getHelp() + ": "
                + rule.getNodes().stream().map(CheckedNode::getHtml).toList();
    }

    @Override
    public void close() {
        context.close();
    }
}
