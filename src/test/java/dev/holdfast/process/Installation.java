package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.rocksdb.util.Environment;

/**
 * A directory as an operator has it, with configuration, plugins and data in it, and the processes started there. Closing
 * it kills them, and looks whether one of them wrote a secret anywhere.
 */
final class Installation implements AutoCloseable {
    static final String SECRET = "the-signing-secret-of-these-tests-4f1c";

    private static final Path JAR = Path.of(Objects.requireNonNull(
                    System.getProperty("holdfast.jar"), "the system property holdfast.jar names the packaged jar"))
            .toAbsolutePath();
    private static final List<String> AIDS = StartAids.of(JAR);

    private final Path directory;
    /** RocksDB asks four programs for its C library otherwise, at each start. */
    private final Map<String, String> environment = new HashMap<>(
            Map.of("HOLDFAST_SECRET", SECRET, "ROCKSDB_MUSL_LIBC", Boolean.toString(Environment.isMuslLibc())));

    private final List<String> secrets = new ArrayList<>(List.of(SECRET));
    private final List<Child> children = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private List<String> gateway = List.of("-jar", JAR.toString());

    Installation(Path directory) throws IOException {
        this.directory = directory;
        Files.createDirectories(directory.resolve("conf"));
        Files.createDirectories(directory.resolve("plugins"));
    }

    static Path jar() {
        return JAR;
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    Path path(String name) {
        return directory.resolve(name);
    }

    /** Writes conf/holdfast.yaml: free ports on loopback, no drain delay, nothing set aside, and these lines after them. */
    void configure(String more) throws IOException {
        String journal = more.contains("journal:\n") ? more : "journal:\n" + more;
        String all =
                more.contains("set-aside:") ? journal : journal.replace("journal:\n", "journal:\n  set-aside: 0B\n");
        write("""
            receiver:
              host: 127.0.0.1
              port: 0
              endpoints:
                - name: default
                  path: /webhook
                  secrets: ["${HOLDFAST_SECRET}"]
              drain-delay: 0s
            management:
              port: 0
            """ + all);
    }

    /** Writes the shipped conf/holdfast.yaml, on free ports of loopback. */
    void configureAsShipped() throws IOException {
        String shipped = Files.readString(Path.of("conf", "holdfast.yaml"));
        write(shipped.replace("host: 0.0.0.0", "host: 127.0.0.1")
                .replace("port: 8080", "port: 0")
                .replace("port: 8081", "port: 0"));
    }

    /** Writes conf/holdfast.yaml. */
    void write(String yaml) throws IOException {
        Files.writeString(path("conf/holdfast.yaml"), yaml);
    }

    /** Changes conf/holdfast.yaml, which must hold {@code found}. */
    void edit(String found, String replacement) throws IOException {
        String yaml = Files.readString(path("conf/holdfast.yaml"));
        assertThat(yaml).contains(found);
        write(yaml.replace(found, replacement));
    }

    /** An environment variable of every process started from now on. */
    void set(String variable, String value) {
        environment.put(variable, value);
    }

    /** An option of Java's for every process started from now on. */
    void option(String option) {
        options.add(option);
    }

    /** For large bodies: SHA-1 is an instruction of the processor's for the better compiler alone. */
    void useBothCompilers() {
        option("-XX:TieredStopAtLevel=4");
    }

    /** RocksDB's native code is unpacked by each process that needs it. */
    void unpackNativeCode() {
        option("-Djava.library.path=");
    }

    /** The classes in this directory take the place of the jar's in every process started from now on. */
    void classesBefore(Path classes) throws IOException {
        PlantedStart.copyTo(classes);
        gateway = List.of(
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-cp",
                JAR + ":" + classes,
                PlantedStart.class.getName(),
                classes.toString());
    }

    /** The jar of every process started from now on is a copy, whose classes no archive has. */
    Path copyJar() throws IOException {
        Path copy = Files.copy(JAR, path("holdfast.jar"));
        gateway = List.of("-jar", copy.toString());
        return copy;
    }

    /** Something no process may ever write. */
    void keepSecret(String secret) {
        secrets.add(secret);
    }

    /** {@code run}, with the configuration of this directory. */
    Child run() throws IOException {
        return start("run");
    }

    /** A gateway that is ready. */
    Child running() throws IOException, InterruptedException {
        Child gateway = run();
        gateway.awaitReady();
        return gateway;
    }

    /** The jar, with these arguments. */
    Child start(String... arguments) throws IOException {
        return startUnder(List.of(), arguments);
    }

    /** The jar, started by another program: its name and its arguments come first. */
    Child startUnder(List<String> program, String... arguments) throws IOException {
        Path temporary = Files.createDirectories(path("tmp"));
        List<String> java = List.of(java(), "-Xmx256m", "-Djava.io.tmpdir=" + temporary);
        Child child = Child.start(
                directory,
                environment,
                Stream.of(program, java, AIDS, options, gateway, Arrays.asList(arguments))
                        .flatMap(List::stream)
                        .toList());
        children.add(child);
        return child;
    }

    @Override
    public void close() {
        children.forEach(Child::close);
        for (Child child : children) {
            assertThat(child.output()).doesNotContain(secrets);
        }
    }
}
