package dev.holdfast.management;

import dev.holdfast.config.ManagementConfig;
import dev.holdfast.logging.Printable;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps other sites' pages from using the operator's browser to get in.
 *
 * <p>Their names may be made to lead here (DNS rebinding), so where no token protects, the request's {@code Host} must be
 * one that nobody else can own. Its port is not asked for: it differs behind a forwarded one, and tells nothing. A page of
 * another origin can send without being able to read, so an {@code Origin} (RFC 6454) must be the one that was asked,
 * port included, or a listed host's. {@code null}, which a page without an origin sends, is another one.
 */
final class SiteCheck implements Handler<RoutingContext> {
    private static final String HOST = "Host";
    private static final String ORIGIN = "Origin";
    private static final Pattern WEB_ORIGIN = Pattern.compile("(?i)(https?)://(.+)");
    private static final int LONGEST_SHOWN = 100;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int MISDIRECTED = 421;

    private final Set<String> open;
    private final boolean anyHost;
    private final HostName configured;
    private final Set<HostName> listed;

    /** @param health paths that everybody may ask for where health is public */
    SiteCheck(ManagementConfig config, Set<String> health) {
        open = config.publicParts().contains(ManagementConfig.HEALTH) ? health : Set.of();
        anyHost = config.token() != null && config.hosts().isEmpty();
        configured = HostName.of(config.host());
        listed = config.hosts().stream().map(HostName::of).collect(Collectors.toSet());
    }

    @Override
    public void handle(RoutingContext ctx) {
        HttpServerRequest request = ctx.request();
        HostAndPort authority = authority(request);
        HostName host = HostName.ofAuthority(authority);
        List<String> origins = request.headers().getAll(ORIGIN);
        if (open.contains(request.path())) {
            ctx.next();
        } else if (authority == null || host == null) {
            ApiAnswers.problem(ctx, BAD_REQUEST, unreadable(request));
        } else if (!anyHost && !isOwn(host, request)) {
            ApiAnswers.problem(
                    ctx,
                    MISDIRECTED,
                    found(request, HOST) + ", expected localhost, a loopback address, management.host, the"
                            + " address that the connection came to, or one of management.hosts");
        } else if (!origins.isEmpty() && !(origins.size() == 1 && isOwn(origins.get(0), authority))) {
            ApiAnswers.problem(
                    ctx,
                    FORBIDDEN,
                    found(request, ORIGIN) + ", expected none, that of the Host " + shown(authority.toString())
                            + ", or that of one of management.hosts");
        } else {
            ctx.next();
        }
    }

    /**
     * What is wrong with a request that can't be read. If Host is malformed, the router gives up before any handler.
     */
    static String unreadable(HttpServerRequest request) {
        return HostName.ofAuthority(authority(request)) == null
                ? found(request, HOST) + ", expected one host, with or without a port"
                : "found a request that can't be read";
    }

    /** Host and port, which is negative where there is none; null when Host is missing, doubled or malformed. */
    private static @Nullable HostAndPort authority(HttpServerRequest request) {
        List<String> hosts = request.headers().getAll(HOST);
        return hosts.size() == 1 ? HostAndPort.parseAuthority(hosts.get(0), -1) : null;
    }

    /**
     * Whether the host is this gateway's: loopback, configured, listed, or the address that the connection came to.
     * Nobody can make an address lead elsewhere, as they can a name.
     */
    private boolean isOwn(HostName host, HttpServerRequest request) {
        return host.isLoopback()
                || host.equals(configured)
                || listed.contains(host)
                || host.equals(HostName.of(request.localAddress().hostAddress()));
    }

    private boolean isOwn(String origin, HostAndPort asked) {
        Matcher web = WEB_ORIGIN.matcher(origin);
        if (!web.matches()) {
            return false;
        }
        int usualPort = web.group(1).equalsIgnoreCase("http") ? 80 : 443;
        HostAndPort from = HostAndPort.parseAuthority(web.group(2), usualPort);
        HostName host = HostName.ofAuthority(from);
        if (from == null || host == null) {
            return false;
        }
        int port = asked.port() < 0 ? usualPort : asked.port();
        return listed.contains(host) || (host.equals(HostName.ofAuthority(asked)) && from.port() == port);
    }

    private static String found(HttpServerRequest request, String name) {
        List<String> values = request.headers().getAll(name);
        if (values.size() != 1) {
            return "found " + (values.isEmpty() ? "no " + name : values.size() + " " + name + " headers");
        }
        return "found the " + name + " " + shown(values.get(0));
    }

    private static String shown(String value) {
        return '"' + Printable.cut(value, LONGEST_SHOWN) + '"';
    }
}
