package dev.holdfast;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Java processes of their own, of classes that this one has: they start quickly, and end soon. */
public final class JavaProcess {
    private JavaProcess() {}

    /** One that is yet to be started. */
    public static ProcessBuilder of(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    /** The same with no other modules than those that the guide names for a Java made with {@code jlink}. */
    public static ProcessBuilder withModulesOfTheGuide(Class<?> main, String... arguments) throws IOException {
        String guide = Files.readString(Path.of("src/site/markdown/operating.md"));
        int begin = guide.indexOf("A Java made with `jlink`");
        String modules = Pattern.compile("`(java\\.[a-z.]+|jdk\\.[a-z.]+)`")
                .matcher(guide.substring(begin, guide.indexOf("\n\n", begin)))
                .results()
                .map(module -> module.group(1))
                .collect(Collectors.joining(","));
        ProcessBuilder process = of(main, arguments);
        // The Logback file that these tests have is XML.
        process.command().add(1, "--limit-modules=java.xml," + modules);
        return process;
    }
}
