package dev.holdfast;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A directory with all that is in it. */
public final class FileTree {
    private FileTree() {}

    /** Also one that somebody writes to: what a process that is killed now leaves behind. */
    public static void copy(Path from, Path to) throws IOException {
        copy(from, to, file -> true);
    }

    public static void copy(Path from, Path to, Predicate<Path> wanted) throws IOException {
        try (Stream<Path> tree = Files.walk(from)) {
            for (Path file : tree.filter(wanted).toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    copyFile(file, target);
                }
            }
        }
    }

    private static void copyFile(Path file, Path target) throws IOException {
        try {
            Files.copy(file, target);
        } catch (NoSuchFileException e) {
            // Deleted meanwhile.
        }
    }

    public static void delete(Path directory) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path file : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
