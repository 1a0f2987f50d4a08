package dev.holdfast.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file whose content is one value, as editors, {@code echo} and secret stores write it. */
public final class SecretFile {
    private SecretFile() {}

    /**
     * The file's text without its last newline: exactly one {@code \n} or {@code \r\n} is dropped and nothing else.
     *
     * @throws java.nio.charset.CharacterCodingException when the file is not UTF-8
     */
    public static String read(Path file) throws IOException {
        String text = Files.readString(file);
        if (text.endsWith("\r\n")) {
            return text.substring(0, text.length() - 2);
        }
        return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }
}
