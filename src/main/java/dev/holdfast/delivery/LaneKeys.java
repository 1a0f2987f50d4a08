package dev.holdfast.delivery;

import dev.holdfast.json.JsonSyntaxException;
import dev.holdfast.json.Pointers;
import dev.holdfast.logging.Printable;
import dev.holdfast.push.Envelope;
import dev.holdfast.push.PushRecord;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which lane a push belongs to: pushes of one endpoint and one enterprise stay in order when the first of the pointers that
 * leads to a string, number or boolean finds the same one in both, or, where none leads to any, when they are of one family.
 */
final class LaneKeys {
    /** Keys come from outside and are kept: longer ones stand for themselves by their digest. */
    private static final int LONGEST_KEY = 128;

    /** Begins the keys of an ordering of its own; no endpoint's name begins so. */
    private static final char ORDERED = '~';

    private static final int PREFIX = 9;

    private final Pointers pointers;
    /** Tells keys from those of another ordering; empty where there are no pointers. */
    private final String prefix;

    LaneKeys(List<String> pointers) {
        this.pointers = new Pointers(pointers);
        this.prefix = pointers.isEmpty()
                ? ""
                : ORDERED + digest(String.join(" ", pointers)).substring(0, PREFIX - 1);
    }

    /** Whether a key is of this ordering: those of others mean something else. */
    boolean made(String key) {
        return prefix.isEmpty() ? key.isEmpty() || key.charAt(0) != ORDERED : key.startsWith(prefix);
    }

    /** A lane's key for somebody to read: endpoint, enterprise, and family or value. */
    static String shown(String key) {
        String own = !key.isEmpty() && key.charAt(0) == ORDERED && key.length() >= PREFIX ? key.substring(PREFIX) : key;
        String[] parts = own.split("\n", 3);
        return Printable.line(
                parts.length < 3
                        ? own
                        : parts[0] + " / " + (parts[1].isEmpty() ? "-" : parts[1]) + " / " + parts[2].substring(2));
    }

    /** Any thread. */
    String lane(PushRecord push) {
        Envelope envelope = push.envelope();
        String field = envelope.unreadable() == null ? field(push.body()) : null;
        String lane = prefix
                + push.endpoint()
                + '\n'
                + envelope.enterpriseToken()
                + '\n'
                + (field == null ? "f:" + envelope.family() : "v:" + field);
        return lane.length() <= LONGEST_KEY ? lane : prefix + "#" + digest(lane);
    }

    private @Nullable String field(byte[] body) {
        try {
            return pointers.find(body);
        } catch (JsonSyntaxException e) {
            // Readable once, and no longer: in the lane of those without a field it is in no one's way.
            return null;
        }
    }

    private static String digest(String lane) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(lane.getBytes(StandardCharsets.UTF_16BE));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is part of every Java", e);
        }
    }
}
