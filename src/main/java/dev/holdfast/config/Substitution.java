package dev.holdfast.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts values from outside into the strings of a configuration: <code>${NAME}</code> and <code>${NAME:default}</code>
 * from the environment, <code>${file:/path}</code> from a file. What was put in is not looked at again.
 */
final class Substitution {
    private static final Pattern EXPRESSION = Pattern.compile("\\$\\{([^}]*)(}?)");
    private static final Pattern VARIABLE = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)(?::(.*))?", Pattern.DOTALL);
    private static final String FILE = "file:";
    private static final String FORMS = "${NAME}, ${NAME:default} or ${file:/path}";

    private final Map<String, String> environment;
    private final JudgedFiles files;

    /** @param files gets every file that is asked for, whether it can be read or not */
    Substitution(Map<String, String> environment, JudgedFiles files) {
        this.environment = environment;
        this.files = files;
    }

    JudgedFiles files() {
        return files;
    }

    static boolean isIn(String text) {
        return text.contains("${");
    }

    String apply(String text) throws InvalidValue {
        if (!isIn(text)) {
            return text;
        }
        Matcher expression = EXPRESSION.matcher(text);
        StringBuilder result = new StringBuilder();
        while (expression.find()) {
            if (expression.group(2).isEmpty()) {
                throw new InvalidValue("a \"${\" without its \"}\"", FORMS);
            }
            expression.appendReplacement(result, Matcher.quoteReplacement(resolve(expression.group(1))));
        }
        return expression.appendTail(result).toString();
    }

    private String resolve(String expression) throws InvalidValue {
        if (expression.startsWith(FILE)) {
            return file(expression.substring(FILE.length()));
        }
        Matcher variable = VARIABLE.matcher(expression);
        if (!variable.matches()) {
            throw new InvalidValue("a \"${...}\" without a variable's name", FORMS);
        }
        return variable(variable.group(1), variable.group(2));
    }

    private String variable(String name, @Nullable String fallback) throws InvalidValue {
        String value = environment.getOrDefault(name, fallback);
        if (value == null) {
            throw new InvalidValue(
                    "${" + name + "}, which is not set", "the environment variable " + name + " or a default");
        }
        // Java decodes the environment by the locale and leaves this mark where it could not.
        if (value.indexOf('\uFFFD') >= 0) {
            throw new InvalidValue(
                    "${" + name + "}, whose value this locale can't decode",
                    "a UTF-8 locale such as LC_ALL=C.UTF-8, or ${file:/path}");
        }
        return value;
    }

    private String file(String name) throws InvalidValue {
        String found = "${" + FILE + name + "}";
        try {
            Path path = Path.of(name);
            files.add(path);
            return SecretFile.read(path);
        } catch (NoSuchFileException e) {
            throw new InvalidValue(found + ", which does not exist", "a readable file");
        } catch (CharacterCodingException e) {
            throw new InvalidValue(found + ", which is not UTF-8", "a UTF-8 file");
        } catch (IOException | InvalidPathException e) {
            throw new InvalidValue(found + ", which can't be read", "a readable file");
        }
    }
}
