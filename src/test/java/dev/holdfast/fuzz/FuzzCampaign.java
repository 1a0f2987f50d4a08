package dev.holdfast.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs each target under Jazzer for some minutes, one after the other, in a process of its own, and writes a table to
 * {@code fuzz.txt}. What was found lies beside the target's log as {@code crash-…}, {@code timeout-…} or {@code oom-…}: the
 * input of a plain test. Ends with status 1 when something was.
 *
 * <p>System properties: {@code fuzz.minutes} for each target, {@code fuzz.targets} by name with commas between, empty for
 * all, {@code fuzz.output} the directory.
 */
final class FuzzCampaign {
    /** A machine that is busy with other things takes seconds for what is done in a few milliseconds. */
    private static final String INPUT_SECONDS = "30";

    private static final String INSTRUMENTED =
            "dev.holdfast.**:com.fasterxml.jackson.core.**:com.fasterxml.jackson.dataformat.**";
    /** They take an operator's own {@code ${file:...}}, and the connection to the gateway that is fuzzed, for attacks. */
    private static final String NOT_FOR_US = "com.code_intelligence.jazzer.sanitizers.FilePathTraversal"
            + ":com.code_intelligence.jazzer.sanitizers.ServerSideRequestForgery";

    private static final Pattern PROGRESS = Pattern.compile("#(\\d+)\\s+\\S+\\s+cov: (\\d+) .*");

    private final Path output;
    private final long seconds;

    private FuzzCampaign(Path output, long seconds) {
        this.output = output;
        this.seconds = seconds;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path output = Path.of(System.getProperty("fuzz.output", "target/campaign/fuzz"));
        long seconds = Math.round(60 * Double.parseDouble(System.getProperty("fuzz.minutes", "10")));
        String targets = System.getProperty("fuzz.targets", "");
        FuzzCampaign campaign = new FuzzCampaign(output, seconds);
        List<String> table =
                new ArrayList<>(List.of("| target | inputs | edges covered | found |", "|---|---|---|---|"));
        boolean sound = true;
        for (FuzzTarget target : FuzzTarget.all()) {
            if (targets.isEmpty() || List.of(targets.split(",")).contains(target.name())) {
                sound &= campaign.run(target, table);
            }
        }
        Files.write(output.resolve("fuzz.txt"), table);
        table.forEach(System.out::println);
        if (!sound) {
            System.exit(1);
        }
    }

    private boolean run(FuzzTarget target, List<String> table) throws IOException, InterruptedException {
        Path directory = output.resolve(target.name());
        Path corpus = Files.createDirectories(directory.resolve("corpus"));
        Path temporary = Files.createDirectories(directory.resolve("tmp"));
        int number = 0;
        for (byte[] seed : target.seeds()) {
            Files.write(corpus.resolve("seed-" + number++), seed);
        }
        Path log = directory.resolve("log");
        Process fuzzer = new ProcessBuilder(
                        "java",
                        "-Xmx1g",
                        "-Djava.io.tmpdir=" + temporary.toAbsolutePath(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=" + target.type().getName(),
                        "--instrumentation_includes=" + INSTRUMENTED,
                        "--custom_hook_includes=" + INSTRUMENTED,
                        "--disabled_hooks=" + NOT_FOR_US,
                        "--reproducer_path=" + directory,
                        "-artifact_prefix=" + directory + "/",
                        "-max_total_time=" + seconds,
                        "-timeout=" + INPUT_SECONDS,
                        "-rss_limit_mb=3000",
                        corpus.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        int status = fuzzer.waitFor();
        String found = status == 0 ? "nothing" : finding(directory, status);
        String[] last = lastProgress(log);
        table.add("| " + target.name() + " | " + last[0] + " | " + last[1] + " | " + found + " |");
        return status == 0;
    }

    private static String finding(Path directory, int status) {
        String[] files = directory.toFile().list((parent, name) -> name.matches("(crash|timeout|oom)-.*"));
        return files == null || files.length == 0 ? "status " + status + ", see the log" : Arrays.toString(files);
    }

    /** Inputs and edges. */
    private static String[] lastProgress(Path log) throws IOException {
        String[] last = {"0", "0"};
        for (String line : Files.readString(log, java.nio.charset.StandardCharsets.ISO_8859_1)
                .lines()
                .toList()) {
            Matcher progress = PROGRESS.matcher(line);
            if (progress.matches()) {
                last[0] = progress.group(1);
                last[1] = progress.group(2);
            }
        }
        return last;
    }
}
