package dev.holdfast.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Attacks a gateway that has its ordinary load: every valid push is answered {@code 200} all the while, and what the attack left in the
 * quarantine is no push afterwards.
 */
@Tag("campaign")
@Tag("floods")
final class FloodIT {
    private static final double RATE = 100;
    private static final Duration LASTS = Campaign.LONG ? Duration.ofSeconds(60) : Duration.ofSeconds(1);
    private static final int IDLE = Campaign.LONG ? 10_000 : 500;
    private static final int ATTACKERS = 4;
    private static final int ANSWERS_BEFORE = 64;
    private static final String CROWDED = ", with as many connections as there may be";

    /** Something that does harm for as long as it is told to. */
    interface Attack {
        /** How many do it at once. */
        int attackers();

        void attack(URI webhook, Duration lasts) throws IOException, InterruptedException;
    }

    /** What this process can do by itself. */
    enum Flood implements Attack {
        SLOW_HEADS,
        NEW_CONNECTIONS,
        WRONG_SIGNATURES,
        IDLE_CONNECTIONS;

        @Override
        public int attackers() {
            return ATTACKERS;
        }

        @Override
        public void attack(URI webhook, Duration lasts) {
            long end = System.nanoTime() + lasts.toNanos();
            List<Socket> held = new ArrayList<>();
            while (System.nanoTime() - end < 0) {
                try {
                    switch (this) {
                        case SLOW_HEADS -> hold(held, webhook, "POST /webhook HTTP/1.1\r\nX-Slow: ");
                        case NEW_CONNECTIONS -> new Socket(InetAddress.getLoopbackAddress(), webhook.getPort()).close();
                        case WRONG_SIGNATURES -> new LargePush(held.size(), 2000, "another-secret").sendTo(webhook);
                        case IDLE_CONNECTIONS -> hold(held, webhook, "");
                    }
                } catch (IOException refused) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
            for (Socket socket : held) {
                try {
                    socket.close();
                } catch (IOException e) {
                    // Gone already.
                }
            }
        }

        private static void hold(List<Socket> held, URI webhook, String head) throws IOException {
            if (held.size() >= IDLE / ATTACKERS) {
                LockSupport.parkNanos(1_000_000);
                return;
            }
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), webhook.getPort());
            held.add(socket);
            socket.getOutputStream().write(head.getBytes(ISO_8859_1));
        }
    }

    @TempDir
    Path directory;

    @Test
    void validPushesAreAnswered200WhateverElseComes() throws Exception {
        campaign("floods", Flood.values());
    }

    @Test
    void validPushesAreAnswered200WhileSlowhttptestAttacks() throws Exception {
        assumeTrue(SlowHttpTest.isInstalled(), "found no slowhttptest, expected it from the distribution's packages");
        campaign("slowhttptest", SlowHttpTest.values());
    }

    /** In the short form one gateway meets with all of them, one after the other. */
    private void campaign(String name, Attack... attacks) throws Exception {
        Campaign.of(name, 1, attacks.length).run((number, random) -> {
            Attack one = attacks[(number - 1) % attacks.length];
            return trial(directory.resolve("trial" + number), null, Campaign.LONG ? new Attack[] {one} : attacks);
        });
    }

    static Campaign.Findings trial(Path home, @Nullable PlantedBug bug, Attack... attacks) throws Exception {
        try (Victim victim = new Victim(home)) {
            if (bug != null) {
                bug.plantIn(victim.installation());
            }
            victim.installation().option("-Xmx1g");
            Child gateway = victim.begin();
            Traffic traffic = victim.load(gateway, RATE, 500);
            for (Attack attack : attacks) {
                // The one before is over by then.
                traffic.awaitAnswers(traffic.sent().size() + ANSWERS_BEFORE);
                CompletableFuture.allOf(Stream.generate(() -> begin(attack, gateway))
                                .limit(attack.attackers())
                                .toArray(CompletableFuture[]::new))
                        .get();
            }
            victim.unload();
            if (victim.client().metric(gateway, "holdfast_quarantine_kept_total") > 0) {
                verifyAll(victim.installation(), gateway);
            }
            Await.until("every push is delivered", () -> victim.client().allDelivered(gateway));
            victim.terminate(gateway);

            List<String> complaints = new ArrayList<>(victim.complaints());
            victim.sent().stream()
                    .filter(push -> !push.acknowledged())
                    .forEach(push -> complaints.add("a valid push was answered " + push.status() + ": " + push
                            + "; the gateway wrote:\n" + gateway.err().text()));
            traffic.unanswered().forEach(push -> complaints.add("no answer: " + push));
            return new Campaign.Findings(
                    complaints,
                    victim.sent(),
                    List.of(),
                    Arrays.toString(attacks) + ": p99 " + traffic.percentile(99).toMillis() + " ms"
                            + (isCrowded(gateway) ? CROWDED : ""));
        }
    }

    private static void verifyAll(Installation installation, Child gateway) throws Exception {
        Child verify = installation.start(
                "quarantine",
                "verify",
                "--all",
                "--management",
                gateway.management("").toString());
        // 1 where some match no secret, as they should not.
        assertThat(verify.awaitExit()).as(verify.output()).isBetween(0, 1);
    }

    private static boolean isCrowded(Child gateway) {
        return gateway.err().text().contains("accepts more only as these end");
    }

    private static CompletableFuture<Void> begin(Attack attack, Child gateway) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread attacker = new Thread(
                () -> {
                    try {
                        attack.attack(gateway.webhook(), LASTS);
                        done.complete(null);
                    } catch (Throwable e) {
                        done.completeExceptionally(e);
                    }
                },
                "flood");
        attacker.setDaemon(true);
        attacker.start();
        return done;
    }
}
