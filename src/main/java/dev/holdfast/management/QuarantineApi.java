package dev.holdfast.management;

import dev.holdfast.management.ApiAnswers.Failure;
import dev.holdfast.push.Envelope;
import dev.holdfast.quarantine.Quarantine;
import dev.holdfast.quarantine.QuarantineException;
import dev.holdfast.quarantine.QuarantineFilter;
import dev.holdfast.quarantine.QuarantinedRequest;
import dev.holdfast.quarantine.QuarantinedRequest.Cause;
import dev.holdfast.quarantine.Verification;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What was refused because its signature did not match. All of it was written by somebody unknown.
 *
 * <ul>
 *   <li>{@code GET /api/v1/quarantine}: {@code endpoint}, {@code cause} ({@code mismatch}), {@code id} or {@code from} and {@code to},
 *       {@code since}, {@code until}, {@code event} ({@code client.*}) and {@code pushId} as the bodies say, {@code limit},
 *       {@code cursor}; the newest first
 *   <li>{@code GET /api/v1/quarantine/ID}: the same of one, its query and headers, and its body in standard Base64
 *   <li>{@code POST /api/v1/quarantine/verify} and {@code /discard}: a JSON object of the keys that choose; or {@code all:
 *       true}; {@code dryRun: true} only counts. A discard has a {@code reason}. A verification that takes long answers with
 *       {@code next}, the {@code from} to go on with
 * </ul>
 */
public final class QuarantineApi implements ApiPart {
    /** The keys that choose requests. */
    private static final List<String> CHOICE =
            List.of("endpoint", "cause", "id", "from", "to", "since", "until", "event", "pushId");

    private static final List<String> LIST_KEYS = RequestValues.keys(CHOICE, "limit", Cursor.KEY);
    private static final List<String> VERIFY_KEYS = RequestValues.keys(CHOICE, "all", "dryRun");
    private static final List<String> DISCARD_KEYS = RequestValues.keys(CHOICE, "all", "dryRun", "reason");
    private static final Cursor CURSOR = new Cursor("quarantine", "(\\d{1,18})");

    private final Quarantine quarantine;
    private final Verifier verifier;
    private final AuditTrail audit;

    /** Checks those that match again, and makes pushes of those that are authentic. */
    public interface Verifier {
        /**
         * Runs for some seconds at most. Blocks.
         *
         * @param dryRun changes nothing: the authentic ones are counted as pushes, duplicates too
         * @param stored is set to how many are in the journal now, also where this fails
         */
        Verification run(QuarantineFilter filter, boolean dryRun, AtomicLong stored);
    }

    public QuarantineApi(Quarantine quarantine, Verifier verifier, AuditTrail audit) {
        this.quarantine = quarantine;
        this.verifier = verifier;
        this.audit = audit;
    }

    @Override
    public void addTo(ApiRoutes routes) {
        routes.get("/quarantine", LIST_KEYS, this::list);
        routes.getLarge("/quarantine/:id", this::get);
        routes.post("/quarantine/verify", VERIFY_KEYS, this::verify);
        routes.post("/quarantine/discard", DISCARD_KEYS, this::discard);
    }

    private Future<JsonObject> list(RequestValues query) {
        int limit = query.limit();
        long to = CURSOR.read(query)
                .map(place -> Long.parseLong(place.group(1)) - 1)
                .orElse(Long.MAX_VALUE);
        QuarantineFilter filter = filter(query).to(to);
        return query.searching(() -> CURSOR.page(
                "requests",
                quarantine.newest(filter, limit, QuarantineApi::show),
                limit,
                shown -> shown,
                last -> last.getLong("id")));
    }

    private Future<JsonObject> get(RequestValues path) {
        long id = path.position("id", 0);
        return path.blocking(() -> quarantine.list(QuarantineFilter.between(id, id), 1, QuarantineApi::whole).stream()
                .findFirst()
                .orElseThrow(() -> Failure.notFound("found no request " + id + " in the quarantine")));
    }

    private Future<JsonObject> verify(RequestValues body) {
        QuarantineFilter filter = chosen(body);
        Future<Verification> done = body.isDryRun()
                ? body.searching(() -> verifier.run(filter, true, new AtomicLong()))
                : audit.recording(body, "quarantine.verify", null, stored -> verifier.run(filter, false, stored));
        return done.map(QuarantineApi::show);
    }

    private static JsonObject show(Verification verification) {
        return ApiJson.present(new JsonObject()
                .put("pushes", verification.pushes())
                .put("duplicates", verification.duplicates())
                .put("wrong", verification.wrong())
                .put("unknownEndpoint", verification.unknown())
                .put("failed", verification.failed())
                .put("next", verification.next() == 0 ? null : verification.next()));
    }

    private Future<JsonObject> discard(RequestValues body) {
        QuarantineFilter filter = chosen(body);
        return audit.discarding(
                body, "quarantine.discard", () -> (long) ids(filter).size(), discarded -> discard(filter, discarded));
    }

    /**
     * Discards those that match, and returns how many there were; {@code discarded} has that number also if the disk
     * fails with some of them. Blocks.
     */
    private long discard(QuarantineFilter filter, AtomicLong discarded) {
        List<Long> ids = ids(filter);
        try {
            discarded.set(quarantine.remove(ids));
        } catch (QuarantineException e) {
            Set<Long> left = new HashSet<>(ids(filter));
            discarded.set(ids.stream().filter(id -> !left.contains(id)).count());
            throw e;
        }
        return discarded.get();
    }

    private List<Long> ids(QuarantineFilter filter) {
        return quarantine.list(filter, Integer.MAX_VALUE, QuarantinedRequest::id);
    }

    private static QuarantineFilter chosen(RequestValues body) {
        body.mustChoose(CHOICE, "requests");
        return filter(body);
    }

    private static QuarantineFilter filter(RequestValues fields) {
        RequestValues.Range ids = fields.range("id", "an identifier");
        RequestValues.Range times = fields.times();
        return new QuarantineFilter(
                fields.text("endpoint"),
                fields.oneOf("cause", Cause.class),
                ids.from(),
                ids.to(),
                times.from(),
                times.to(),
                fields.events("event"),
                fields.text("pushId"));
    }

    private static JsonObject whole(QuarantinedRequest request) {
        return show(request)
                .put("query", request.query())
                .put(
                        "headers",
                        ApiJson.array(
                                request.headers(),
                                header -> new JsonObject()
                                        .put("name", header.name())
                                        .put("value", header.value())))
                .put("body", ApiJson.base64(request.body()));
    }

    private static JsonObject show(QuarantinedRequest request) {
        Envelope envelope = request.envelope();
        return ApiJson.present(new JsonObject()
                .put("id", request.id())
                .put("receivedAt", ApiJson.time(request.receivedAt()))
                .put("endpoint", request.endpoint())
                .put("cause", request.cause().label())
                .put("address", request.address())
                .put("bytes", request.body().length)
                .put("event", envelope.unreadable() == null ? envelope.event() : null)
                .put("pushId", ApiJson.unlessEmpty(envelope.id())));
    }
}
