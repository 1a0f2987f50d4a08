package dev.holdfast.management;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.json.JsonObject;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a page of a list ends: the text that its answer has under {@value #NEXT}, and that the next request gives back under
 * {@value #KEY}. It is opaque, so that nobody builds one.
 */
final class Cursor {
    static final String KEY = "cursor";
    static final String NEXT = "next";
    /** Keys of the query of a list without filters. */
    static final List<String> KEYS = List.of("limit", KEY);

    private final String prefix;
    private final Pattern form;

    /**
     * Of one list.
     *
     * @param list its name: a cursor of one list is refused by another
     * @param form regular expression of a place in the list
     */
    Cursor(String list, String form) {
        prefix = list + ":";
        this.form = Pattern.compile(Pattern.quote(prefix) + form);
    }

    /**
     * The answer with a page.
     *
     * @param name under which the entries stand
     * @param limit how many were asked for; a page with fewer is the last one
     * @param place gives an entry's place, in this list's form
     */
    <T> JsonObject page(
            String name, List<T> entries, int limit, Function<T, JsonObject> show, Function<T, Object> place) {
        JsonObject page = new JsonObject().put(name, ApiJson.array(entries, show));
        return entries.size() < limit ? page : page.put(NEXT, write(place.apply(entries.get(limit - 1))));
    }

    /** @param place of the form that places of this list have, its last entry's */
    String write(Object place) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString((prefix + place).getBytes(UTF_8));
    }

    /**
     * The place that a request goes on from, with the groups of its form; empty where it begins.
     *
     * @throws IllegalArgumentException when it is not one that this list has given
     */
    Optional<MatchResult> read(RequestValues query) {
        String text = query.text(KEY);
        if (text == null) {
            return Optional.empty();
        }
        Matcher place = form.matcher(decoded(text));
        if (!place.matches()) {
            throw query.wrong(KEY, "what the page before has under next");
        }
        return Optional.of(place.toMatchResult());
    }

    private static String decoded(String text) {
        try {
            return new String(Base64.getUrlDecoder().decode(text), UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
