package dev.holdfast.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.gateway.FaultyReceiver;
import dev.holdfast.process.Forwarded.Outcome;
import java.io.IOException;
import java.net.Socket;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The integrator's server behind an {@code http} consumer. It outlives the gateways, verifies each signature as the platform's
 * interface has it, has its moods, and notes every request before it answers.
 */
final class Downstream implements AutoCloseable {
    private static final int[] REFUSALS = {400, 403, 404, 422, 301};
    private static final Duration A_WHILE = Duration.ofMillis(200);
    /** How long it lasts to take what was refused before: a kill shall meet it, be it some seconds late. */
    private static final Duration RECOVERY_PAUSE = Duration.ofMillis(750);

    private static final Duration QUIET = Duration.ofSeconds(5);

    private final String secret;
    private final FaultyReceiver server;
    private final Map<Socket, String> lives = new ConcurrentHashMap<>();
    /** What has met with a mood that passes, or was refused. */
    private final Set<BodyDigest> failedOnce = ConcurrentHashMap.newKeySet();

    private final List<Forwarded> forwarded = new ArrayList<>();
    private volatile String life = "";
    private volatile boolean recovered;
    private volatile boolean hangs;

    Downstream(String secret) throws IOException {
        this.secret = secret;
        this.server = new FaultyReceiver(this::answer);
    }

    /** Connections made from now on belong to this life of the gateway. */
    void begin(String nextLife) {
        life = nextLife;
    }

    /** From now on nothing is refused any more. */
    void mend() {
        recovered = true;
    }

    /** Whether requests that come from now on are taken and never answered. */
    void hang(boolean so) {
        hangs = so;
    }

    String url() {
        return server.url();
    }

    /** Every request until now, in the order in which they came. */
    List<Forwarded> forwarded() {
        synchronized (forwarded) {
            return List.copyOf(forwarded);
        }
    }

    /** How many pushes were taken or refused. */
    long decided() {
        return forwarded().stream()
                .filter(push -> push.isTaken() || push.isRefused())
                .map(Forwarded::seq)
                .distinct()
                .count();
    }

    /** Whether nothing came for so long that nothing more is to be expected: what is missing then, the evidence names. */
    boolean isQuiet() {
        List<Forwarded> all = forwarded();
        return !all.isEmpty() && System.nanoTime() - all.get(all.size() - 1).at() > QUIET.toNanos();
    }

    private void answer(FaultyReceiver.Request request, Socket connection) throws IOException {
        if (hangs) {
            server.hang(request, connection);
            return;
        }
        byte[] body = request.body().getBytes();
        BodyDigest digest = BodyDigest.of(body);
        Mood mood = mood(digest);
        Outcome outcome = isAuthentic(request, body) ? outcome(mood) : Outcome.FORGED;
        note(new Forwarded(
                lives.computeIfAbsent(connection, any -> life),
                LaneKey.of(body),
                request.seq(),
                digest,
                "true".equals(request.headers().get("Holdfast-Replay")),
                outcome,
                System.nanoTime()));
        if (outcome == Outcome.FORGED) {
            FaultyReceiver.status(401).answer(request, connection);
        } else {
            behaviour(mood, digest).answer(request, connection);
        }
    }

    private void note(Forwarded request) {
        synchronized (forwarded) {
            forwarded.add(request);
        }
    }

    private Mood mood(BodyDigest digest) {
        Mood mood = Mood.at(digest);
        if (mood == Mood.REFUSES && recovered) {
            return failedOnce.contains(digest) ? Mood.REPENTS : Mood.TAKES;
        }
        boolean first = mood == Mood.TAKES || mood == Mood.DAWDLES || failedOnce.add(digest);
        return mood.passes() && !first ? Mood.TAKES : mood;
    }

    private Outcome outcome(Mood mood) {
        return switch (mood) {
            case TAKES, DAWDLES, REPENTS -> Outcome.TAKEN;
            case STUMBLES, IS_BUSY, HANGS_UP -> Outcome.FAILED;
            case REFUSES -> Outcome.REFUSED;
        };
    }

    private FaultyReceiver.Behaviour behaviour(Mood mood, BodyDigest digest) {
        return switch (mood) {
            case TAKES -> FaultyReceiver.always(FaultyReceiver.OK);
            case DAWDLES -> after(A_WHILE);
            case STUMBLES -> FaultyReceiver.status(500);
            case IS_BUSY -> FaultyReceiver.status(503, "Retry-After: 0");
            case HANGS_UP -> FaultyReceiver::reset;
            case REFUSES -> FaultyReceiver.status(refusal(digest));
            case REPENTS -> after(RECOVERY_PAUSE);
        };
    }

    private static FaultyReceiver.Behaviour after(Duration pause) {
        return (request, connection) -> {
            long end = System.nanoTime() + pause.toNanos();
            while (System.nanoTime() - end < 0) {
                LockSupport.parkNanos(end - System.nanoTime());
            }
            FaultyReceiver.always(FaultyReceiver.OK).answer(request, connection);
        };
    }

    private static int refusal(BodyDigest digest) {
        return REFUSALS[digest.hex().charAt(8) % REFUSALS.length];
    }

    private boolean isAuthentic(FaultyReceiver.Request request, byte[] body) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            sha1.update(body);
            sha1.update(secret.getBytes(UTF_8));
            return HexFormat.of()
                    .formatHex(sha1.digest())
                    .equals(request.headers().get("Service-Signature"));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
