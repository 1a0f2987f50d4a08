package dev.holdfast.config;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The keys that a section of the configuration may have: each component of its record is read from the key of its name. */
final class KnownKeys {
    private KnownKeys() {}

    static List<String> of(Class<? extends Record> section) {
        return components(section).map(KnownKeys::of).toList();
    }

    /** The components that have a key, without those read from files that keys name. */
    static Stream<RecordComponent> components(Class<? extends Record> section) {
        return Arrays.stream(section.getRecordComponents())
                .filter(component -> component.getType() != TlsIdentity.class
                        && !component.getName().equals("files"));
    }

    /** The key that a component is read from, such as {@code max-body}. */
    static String of(RecordComponent component) {
        // The one component whose key is a reserved word in Java.
        String name = component.getName().equals("publicParts") ? "public" : component.getName();
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** The key that was probably meant by {@code unknown}. */
    static Optional<String> nearest(List<String> keys, String unknown) {
        return keys.stream()
                .filter(key -> distance(plain(key), plain(unknown)) <= Math.max(1, key.length() / 3))
                .min((a, b) -> distance(plain(a), plain(unknown)) - distance(plain(b), plain(unknown)));
    }

    private static String plain(String key) {
        return key.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }

    /** Levenshtein distance: how many letters to insert, drop or change. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
