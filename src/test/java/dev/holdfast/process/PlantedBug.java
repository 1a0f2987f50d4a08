package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A mistake that a gateway could make: one class of it, compiled again with a few lines changed, and put on the class path before the jar.
 * The product knows nothing of it. When the lines are no longer there, planting fails and says so.
 */
enum PlantedBug {
    ACKNOWLEDGES_BEFORE_THE_SYNC(
            "dev/holdfast/journal/LogWriter",
            new Change("if (segment.isDirty()) {", "appends.notifyAppenders();\n            if (segment.isDirty()) {"),
            new Change("        appends.notifyAppenders();\n        publish", "        publish")),
    GOES_ON_AFTER_A_FAILED_SYNC(
            "dev/holdfast/journal/SegmentWriter",
            new Change(
                    "flush();\n        disk.sync(channel);",
                    "flush();\n        try { disk.sync(channel); } catch (IOException e) { disk.sync(channel); }")),
    TAKES_PUSHES_WITH_ONE_ID_FOR_DUPLICATES(
            "dev/holdfast/journal/Digest",
            new Change(
                    "byte[] body = push.body();",
                    "byte[] body = push.envelope().id().getBytes(java.nio.charset.StandardCharsets.UTF_8);"),
            new Change(
                    "&& Arrays.equals(one.body(), other.body())",
                    "&& one.envelope().id().equals(other.envelope().id())")),
    ANSWERS_200_ON_A_FULL_DISK("dev/holdfast/receiver/Refusal", new Change("STORAGE(503,", "STORAGE(200,")),
    SAVES_A_POSITION_BEFORE_THE_HANDLER_IS_DONE(
            "dev/holdfast/delivery/Checkpoints", new Change("open.isEmpty() ? front", "front >= 0 ? front")),
    TRUSTS_A_RECORD_WITHOUT_ITS_CHECKSUM(
            "dev/holdfast/journal/SegmentScanner",
            new Change("if (checksum != bytes.checksum(checked, from + claimed)) {", "if (checksum == 0) {")),
    VERIFIES_THE_QUARANTINE_WITHOUT_THE_SECRET(
            "dev/holdfast/receiver/Reverification",
            new Change("signature.mismatch(request.body(), endpoint.secrets()) != null", "request.body().length == 0"));

    private record Change(String found, String planted) {}

    private final String path;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of, of records of strings
    private final List<Change> changes;

    PlantedBug(String path, Change... changes) {
        this.path = path;
        this.changes = List.of(changes);
    }

    /** Every process of the installation has it from now on. */
    void plantIn(Installation installation) throws IOException {
        Path classes = Files.createDirectories(installation.path("planted"));
        compile(Installation.jar().toString(), classes);
        installation.classesBefore(classes);
    }

    /** Puts what has it into a directory, for the class path before the one of the sound classes. */
    void compile(String classPath, Path classes) throws IOException {
        String code = Files.readString(Path.of("src/main/java", path + ".java"));
        for (Change change : changes) {
            assertThat(code).as("%s can't be planted any more", this).containsOnlyOnce(change.found());
            code = code.replace(change.found(), change.planted());
        }
        PluginJar.compile(path.replace('/', '.'), code, classPath, classes);
    }
}
