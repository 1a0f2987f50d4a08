package dev.holdfast.simulator;

import dev.holdfast.signature.SignatureScheme;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Makes the platform's pushes, one after the other (interface, sections 2.2 to 2.4 and 6). Every body differs from every
 * other by a sequence number and a name of the run, so that none is a duplicate by accident, also across runs. The same
 * script, secret, clock and seed make the same pushes. One thread at a time.
 */
public final class PushSource {
    private static final int REMEMBERED = 32;

    private final Script script;
    private final byte[] secret;
    private final Clock clock;
    private final RandomGenerator random;
    private final BodyWriter bodies;
    private final List<SimulatedPush> earlier = new ArrayList<>(REMEMBERED);
    private long sequence;
    private long turns;

    /**
     * @param secret the enterprise's signing secret; copied
     * @param clock tells {@code created_at}
     * @param seed decides the run's name and all that is left to chance
     */
    public PushSource(Script script, byte[] secret, Clock clock, long seed) {
        this.script = script;
        this.secret = secret.clone();
        this.clock = clock;
        this.random = new SplittableRandom(seed);
        this.bodies = new BodyWriter(script, random);
    }

    /** The next healthy push. */
    public SimulatedPush next() {
        return next(null);
    }

    /**
     * The next push with this fault. It is healthy nonetheless when the fault needs an earlier push and there is none
     * yet.
     */
    public SimulatedPush next(@Nullable Fault fault) {
        if (fault == Fault.DUPLICATE && !earlier.isEmpty()) {
            return anEarlierOne().again();
        }
        boolean withoutEarlier = fault == Fault.DUPLICATE || (fault == Fault.SAME_ID && earlier.isEmpty());
        SimulatedPush push = make(withoutEarlier ? null : fault);
        if (push.fault() == null) {
            remember(push);
        }
        return push;
    }

    /** Draws a push's fault, so that one seed decides everything random about the platform. */
    @Nullable
    Fault draw(Faults faults) {
        return faults.draw(random);
    }

    private SimulatedPush make(@Nullable Fault fault) {
        long created = clock.instant().getEpochSecond();
        String id = "sub_" + script.enterpriseToken() + "_" + created;
        if (fault == Fault.SAME_ID) {
            SimulatedPush other = anEarlierOne();
            created = other.createdAt();
            id = other.id();
        }
        String event = fault == Fault.UNKNOWN_EVENT ? BodyWriter.UNKNOWN_EVENT : nextEvent();
        long subject = turns / script.events().size();
        byte[] body = bodies.write(id, event, created, ++sequence, subject, fault);
        String signature = SignatureScheme.sign(body, secret);
        if (fault == Fault.WRONG_SIGNATURE) {
            signature = withOneWrongDigit(signature);
        }
        return new SimulatedPush(sequence, event, id, created, Buffer.buffer(body), signature, fault);
    }

    private String nextEvent() {
        return script.events().get((int) (turns++ % script.events().size()));
    }

    private SimulatedPush anEarlierOne() {
        return earlier.get(random.nextInt(earlier.size()));
    }

    private void remember(SimulatedPush push) {
        if (earlier.size() < REMEMBERED) {
            earlier.add(push);
        } else {
            earlier.set((int) (push.sequence() % REMEMBERED), push);
        }
    }

    private String withOneWrongDigit(String signature) {
        int at = random.nextInt(signature.length());
        char wrong = signature.charAt(at) == '0' ? '1' : '0';
        return signature.substring(0, at) + wrong + signature.substring(at + 1);
    }
}
