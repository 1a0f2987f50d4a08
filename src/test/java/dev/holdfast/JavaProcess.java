package dev.holdfast;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
}
