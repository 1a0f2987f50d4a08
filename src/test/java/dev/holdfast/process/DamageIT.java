package dev.holdfast.process;

import dev.holdfast.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damages a file of a stopped gateway, one at a time, and starts it: no wrong byte may be delivered, what is gone has to be told, the rest
 * is served, and new pushes are accepted.
 */
@Tag("campaign")
@Tag("damage")
final class DamageIT {
    private static final int LIVES = 3;
    private static final int PUSHES = 150;
    private static final int NEW_PUSHES = 10;
    private static final int BLOCK = 4096;
    private static final Pattern TOLD = Pattern.compile("damage|missing|gone|lost|broken|corrupt");
    /** It has never been handled here, so that all of the journal is read. */
    private static final String AGAIN = """
          - {name: again, events: ["*"], verticle: file, options: {directory: again}}
        """;

    /** What a disk or a hand may do to a file. */
    enum Damage {
        FLIPPED_BIT,
        CUT,
        MISSING,
        ZEROED_BLOCK,
        GARBAGE_AT_THE_END;

        void doTo(Path file, SplittableRandom random) throws IOException {
            byte[] bytes = Files.readAllBytes(file);
            int at = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
            switch (this) {
                case FLIPPED_BIT -> {
                    if (bytes.length > 0) {
                        bytes[at] ^= (byte) (1 << random.nextInt(8));
                    }
                    Files.write(file, bytes);
                }
                case CUT -> Files.write(file, Arrays.copyOf(bytes, at));
                case MISSING -> Files.delete(file);
                case ZEROED_BLOCK -> {
                    int from = at - at % BLOCK;
                    Arrays.fill(bytes, from, Math.min(bytes.length, from + BLOCK), (byte) 0);
                    Files.write(file, bytes);
                }
                case GARBAGE_AT_THE_END -> {
                    byte[] garbage = new byte[1 + random.nextInt(500)];
                    random.nextBytes(garbage);
                    Files.write(file, garbage, StandardOpenOption.APPEND);
                }
            }
        }
    }

    /**
     * A stopped gateway's files.
     *
     * @param kept by the journal, all of which was sent
     */
    record Template(Path data, List<SentPush> sent, List<KeptPush> kept) {
        /** @param killed whether the last life ends with a kill */
        static Template make(Path home, boolean killed) throws Exception {
            try (Victim victim = new Victim(home)) {
                for (int life = 1; life <= LIVES; life++) {
                    Child gateway = victim.begin();
                    victim.load(gateway, 1000, 300);
                    victim.awaitAnswers(PUSHES);
                    if (killed || life < LIVES) {
                        victim.kill(gateway);
                    } else {
                        victim.unload();
                        Await.until(
                                "every push is delivered", () -> victim.client().allDelivered(gateway));
                        victim.terminate(gateway);
                    }
                }
                return new Template(victim.data(), victim.sent(), KeptPush.all(victim.data()));
            }
        }

        /** A file of it, relative to it. */
        Path any(SplittableRandom random, Predicate<Path> wanted) throws IOException {
            try (Stream<Path> tree = Files.walk(data)) {
                List<Path> files = tree.filter(Files::isRegularFile)
                        .map(data::relativize)
                        .filter(file -> !isUnused(file) && wanted.test(file))
                        .sorted()
                        .toList();
                return files.get(random.nextInt(files.size()));
            }
        }

        /** Locks, and RocksDB's diary. */
        private static boolean isUnused(Path file) {
            String name = String.valueOf(file.getFileName());
            return name.equalsIgnoreCase("lock") || name.startsWith("LOG");
        }

        void copyTo(Path target) throws IOException {
            FileTree.copy(data, target);
        }
    }

    @TempDir
    Path directory;

    @Test
    void noWrongByteIsDeliveredWhatIsGoneIsToldAndTheRestIsServed() throws Exception {
        Template stopped = Template.make(directory.resolve("stopped"), false);
        Template killed = Template.make(directory.resolve("killed"), true);
        Campaign.of("damage", 5, 1000).run((number, random) -> {
            Template template = random.nextBoolean() ? stopped : killed;
            boolean segment = random.nextBoolean();
            Path file = template.any(random, any -> isSegment(any) == segment);
            Damage damage = Damage.values()[(number - 1) % Damage.values().length];
            return trial(directory.resolve("trial" + number), null, template, file, damage, random);
        });
    }

    static boolean isSegment(Path file) {
        return file.toString().endsWith(".segment");
    }

    static Campaign.Findings trial(
            Path home, @Nullable PlantedBug bug, Template template, Path file, Damage damage, SplittableRandom random)
            throws Exception {
        try (Victim victim = new Victim(home, home.resolve("data"), "", AGAIN)) {
            if (bug != null) {
                bug.plantIn(victim.installation());
            }
            template.copyTo(victim.data());
            damage.doTo(victim.data().resolve(file), random);
            String what = damage + " of " + file;
            Child gateway = victim.begin();
            List<String> complaints = new ArrayList<>();
            for (int i = 0; i < NEW_PUSHES; i++) {
                int status = victim.client()
                        .send(gateway.webhook(), Installation.SECRET, "client.created", 100)
                        .statusCode();
                if (status != 200) {
                    complaints.add(what + ": a new push is answered " + status);
                }
            }
            Await.until(
                    "every push is delivered after " + what,
                    () -> victim.client().allDelivered(gateway));
            victim.terminate(gateway);
            complaints.addAll(complaints(victim, gateway, template, file, damage));
            return new Campaign.Findings(complaints, victim.client().sent(), List.of(), what);
        }
    }

    private static List<String> complaints(Victim victim, Child gateway, Template template, Path file, Damage damage)
            throws IOException {
        String what = damage + " of " + file + ": ";
        List<String> unreadable =
                new ArrayList<>(new Archive(victim.installation().path("again")).complaints());
        unreadable.addAll(victim.archive().complaints());
        if (!unreadable.isEmpty()) {
            return List.of(what + "delivered " + unreadable.get(0));
        }
        Set<BodyDigest> old = digests(template.sent());
        Set<BodyDigest> fresh = digests(victim.client().sent());
        Set<BodyDigest> again = archived(victim.installation().path("again"));
        Set<BodyDigest> live = archived(victim.installation().path("archive"));
        List<String> complaints = new ArrayList<>();
        Stream.concat(again.stream(), live.stream())
                .filter(digest -> !old.contains(digest) && !fresh.contains(digest))
                .forEach(digest -> complaints.add(what + "never sent, but delivered: " + digest));
        fresh.stream()
                .filter(digest -> !again.contains(digest) || !live.contains(digest))
                .forEach(digest ->
                        complaints.add(what + "answered 200 after the damage, but not delivered to all: " + digest));
        List<KeptPush> gone = template.kept().stream()
                .filter(push -> !again.contains(push.digest()))
                .toList();
        long most = most(template, file, damage);
        if (gone.size() > most) {
            complaints.add(
                    what + gone.size() + " pushes are gone (expected: at most " + most + "), from " + gone.get(0));
        }
        if (!gone.isEmpty() && !TOLD.matcher(gateway.err().text()).find()) {
            complaints.add(what + gone.size() + " pushes are gone, and nothing tells it");
        }
        return complaints;
    }

    /** How many pushes may be gone by it. */
    private static long most(Template template, Path file, Damage damage) {
        if (!isSegment(file) || damage == Damage.GARBAGE_AT_THE_END) {
            return 0;
        }
        return switch (damage) {
            case FLIPPED_BIT -> 1;
            case ZEROED_BLOCK -> 2 + BLOCK / 300;
            default -> template.kept().size();
        };
    }

    private static Set<BodyDigest> digests(List<SentPush> sent) {
        Set<BodyDigest> digests = new HashSet<>();
        sent.forEach(push -> digests.add(push.digest()));
        return digests;
    }

    private static Set<BodyDigest> archived(Path archive) throws IOException {
        Set<BodyDigest> digests = new HashSet<>();
        new Archive(archive).pushes().forEach(push -> digests.add(push.digest()));
        return digests;
    }
}
