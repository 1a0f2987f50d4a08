package dev.holdfast.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import com.fasterxml.jackson.dataformat.yaml.snakeyaml.error.Mark;
import com.fasterxml.jackson.dataformat.yaml.snakeyaml.error.MarkedYAMLException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Turns the text of a YAML file into {@link Node}s. Reports what is not YAML, and keys that occur twice. */
final class YamlText {
    private static final YAMLFactory YAML = new YAMLFactory();
    private static final Pattern UNPRINTABLE =
            Pattern.compile("[^\\t\\n\\r\\x20-\\x7e\\x85\\xa0-\\ud7ff\\ue000-\\ufffd\\x{10000}-\\x{10ffff}]");
    /** A tag's handle or an alias may be a secret that should have been in quotes, and what follows a backslash a part of one. */
    private static final Pattern QUOTING = Pattern.compile(
            "(?s)(found undefined tag handle|Expected a field name \\(Scalar value in YAML\\)|Malformed Number token"
                    + "|expected escape sequence of \\d hexadecimal numbers)"
                    + ".*?(?=\n [^\n]|$)");

    /** Beyond the last one that there is: the parser doesn't expect it. */
    private static final Pattern NO_CHARACTER = Pattern.compile("\\\\U(?!00(0|10))");

    private final YAMLParser parser;
    private final Problems problems;

    private YamlText(YAMLParser parser, Problems problems) {
        this.parser = parser;
        this.problems = problems;
    }

    /** The file's sections; empty for a file without any, and as far as they could be read after a problem. */
    static Node.Mapping read(String text, Problems problems) {
        try (YAMLParser parser = YAML.createParser(text)) {
            return new YamlText(parser, problems).document();
        } catch (JsonProcessingException e) {
            problems.add(mistakeLine(e, text), "", "text that is no YAML: " + reason(e), "YAML");
            return new Node.Mapping(1, Map.of());
        } catch (IllegalArgumentException e) {
            long line = 1
                    + text.lines()
                            .takeWhile(one -> !NO_CHARACTER.matcher(one).find())
                            .count();
            problems.add((int) line, "", "text that is no YAML: the escape sequence of no character", "YAML");
            return new Node.Mapping(1, Map.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Node.Mapping document() throws IOException {
        if (parser.nextToken() == null) {
            return new Node.Mapping(1, Map.of());
        }
        Node root = node("", line(parser.currentTokenLocation()));
        if (parser.nextToken() != null) {
            problems.add(line(parser.currentTokenLocation()), "", "a second YAML document", "one");
        }
        if (root instanceof Node.Mapping mapping) {
            return mapping;
        }
        if (!root.isNothing()) {
            problems.add(root.line(), "", root.kind(), "the sections of a configuration");
        }
        return new Node.Mapping(1, Map.of());
    }

    private Node node(String path, int line) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping(path, line);
            case START_ARRAY -> sequence(path, line);
            default -> scalar(path, line);
        };
    }

    private Node mapping(String path, int line) throws IOException {
        Map<String, Node> entries = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            String keyPath = path.isEmpty() ? key : path + "." + key;
            int keyLine = line(parser.currentTokenLocation());
            parser.nextToken();
            Node value = node(keyPath, keyLine);
            Node first = entries.putIfAbsent(key, value);
            if (first != null) {
                problems.add(
                        keyLine,
                        keyPath,
                        "the key a second time (the first is on line " + first.line() + ")",
                        "it once");
            }
        }
        return new Node.Mapping(line, entries);
    }

    private Node sequence(String path, int line) throws IOException {
        List<Node> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node(path + "[" + items.size() + "]", line(parser.currentTokenLocation())));
        }
        return new Node.Sequence(line, items);
    }

    private Node scalar(String path, int line) throws IOException {
        if (parser.isCurrentAlias()) {
            problems.add(line, path, "a YAML alias", "the value itself");
        }
        return switch (parser.currentToken()) {
            case VALUE_NULL -> new Node.Scalar(line, null, "");
            case VALUE_TRUE, VALUE_FALSE -> new Node.Scalar(line, parser.getBooleanValue(), parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Node.Scalar(line, number(), parser.getText());
            default -> new Node.Scalar(line, parser.getText(), parser.getText());
        };
    }

    /**
     * A number, or the text of something that only looks like one. The parser's own message isn't used: it would quote
     * the value, which may be a secret.
     */
    private Object number() throws IOException {
        try {
            return parser.getNumberValue();
        } catch (JsonProcessingException e) {
            return parser.getText();
        }
    }

    private static int line(@Nullable JsonLocation location) {
        return location == null ? 1 : Math.max(1, location.getLineNr());
    }

    /**
     * The line where the mistake is to be looked for: the beginning of what never ends, or of a line that should have
     * been a key; else where the parser could not go on. The parser's own location is that of the last token that was
     * sound.
     */
    @SuppressWarnings("deprecation") // Jackson tells the place in no other way
    private static int mistakeLine(JsonProcessingException e, String text) {
        if (!(e instanceof MarkedYAMLException marked)) {
            return unprintableLine(text).orElseGet(() -> line(e.getLocation()));
        }
        Mark begun = marked.getContextMark();
        Mark stopped = marked.getProblemMark();
        boolean unended =
                stopped == null || text.lines().skip(stopped.getLine()).allMatch(String::isBlank);
        boolean fromBeginning = unended || "while scanning a simple key".equals(marked.getContext());
        Mark place = begun != null && fromBeginning ? begun : stopped;
        return place == null ? line(e.getLocation()) : place.getLine() + 1;
    }

    /** The line of the first character that YAML doesn't allow anywhere. */
    private static OptionalInt unprintableLine(String text) {
        Matcher character = UNPRINTABLE.matcher(text);
        return character.find()
                ? OptionalInt.of(1
                        + (int) text.substring(0, character.start())
                                .chars()
                                .filter(c -> c == '\n')
                                .count())
                : OptionalInt.empty();
    }

    /** The parser's message without what quotes the file, which may hold a secret: indented lines, and the ends of some others. */
    private static String reason(JsonProcessingException e) {
        return QUOTING.matcher(e.getOriginalMessage())
                .replaceFirst("$1")
                .lines()
                .filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0)))
                .collect(Collectors.joining(", "));
    }
}
