package dev.holdfast.process;

import dev.holdfast.Holdfast;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Starts the jar with some classes in place of its own. A class path that has them before the jar would do, but the JVM would do without
 * what {@link StartAids} has of all others then.
 */
final class PlantedStart {
    private static final String FILE = "PlantedStart.class";

    private PlantedStart() {}

    /** Puts itself beside the classes. */
    static void copyTo(Path classes) throws IOException {
        Path place = Files.createDirectories(classes.resolve("dev/holdfast/process"));
        try (InputStream code = Objects.requireNonNull(PlantedStart.class.getResourceAsStream(FILE))) {
            Files.copy(code, place.resolve(FILE));
        }
    }

    /** @param args the directory of the classes, and the command line */
    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        Method define =
                ClassLoader.class.getDeclaredMethod("defineClass", String.class, byte[].class, int.class, int.class);
        define.setAccessible(true);
        try (Stream<Path> tree = Files.walk(Path.of(args[0]))) {
            List<Path> planted = tree.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith(FILE))
                    .toList();
            for (Path file : planted) {
                byte[] code = Files.readAllBytes(file);
                define.invoke(PlantedStart.class.getClassLoader(), null, code, 0, code.length);
            }
        }
        Holdfast.main(Arrays.copyOfRange(args, 1, args.length));
    }
}
