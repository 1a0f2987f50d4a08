package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code .ci/run} on a directory of its own, with programs of the test's in the place of Maven and apt-get. */
@Timeout(60)
final class SkippedTestsTest {
    private static final String PASSED = """
            <testsuite name="dev.holdfast.%1$s" tests="1" errors="0" skipped="0" failures="0">
              <testcase name="aTest" classname="dev.holdfast.%1$s" time="0.01"/>
            </testsuite>
            """;
    private static final String SKIPPED = """
            <testsuite name="dev.holdfast.process.DiskIT" tests="3" errors="0" skipped="2" failures="0">
              <testcase name="aDiskThatWorks" classname="dev.holdfast.process.DiskIT" time="0.01"/>
              <testcase name="aFullDisk" classname="dev.holdfast.process.DiskIT" time="0.02">
                <skipped message="strace can&apos;t trace here" type="org.opentest4j.TestAbortedException"><![CDATA[at
            line]]></skipped>
              </testcase>
              <testcase name="" classname="dev.holdfast.process.PowerCutIT" time="0.0">
                <skipped/>
              </testcase>
            </testsuite>
            """;

    @TempDir
    Path directory;

    private Path programs;

    @BeforeEach
    void install() throws IOException {
        programs = Files.createDirectories(directory.resolve("programs"));
        Path script = Files.createDirectories(directory.resolve(".ci")).resolve("run");
        Files.copy(Path.of(".ci", "run"), script, StandardCopyOption.COPY_ATTRIBUTES);
        for (String tool : List.of("bash", "env", "awk", "rm", "dirname", "cat", "cp", "mkdir", "grep")) {
            program(tool, "exec " + found(tool) + " \"$@\"");
        }
        for (String tool : List.of(
                "javac",
                "strace",
                "mkfs.ext4",
                "mount",
                "mkfs.xfs",
                "haproxy",
                "promtool",
                "chromium-headless-shell",
                "slowhttptest")) {
            program(tool, "exit 1");
        }
        program("id", "echo 0");
        program("apt-get", "echo \"apt-get $*\"");
    }

    private static Path found(String tool) {
        for (String place : List.of("/usr/bin", "/bin")) {
            if (Files.exists(Path.of(place, tool))) {
                return Path.of(place, tool);
            }
        }
        throw new AssertionError(
                "found no " + tool + " in /usr/bin and /bin (expected: coreutils, bash, awk and grep)");
    }

    private void program(String name, String script) throws IOException {
        Path program = Files.writeString(programs.resolve(name), "#!/bin/bash\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Maven, which leaves these reports. */
    private void maven(Map<String, String> reports, String more) throws IOException {
        StringBuilder script = new StringBuilder();
        for (Map.Entry<String, String> report : reports.entrySet()) {
            Path kept = Files.createDirectories(directory.resolve("kept"))
                    .resolve(report.getKey().replace('/', '_'));
            Files.writeString(kept, report.getValue());
            Path to = directory.resolve("target").resolve(report.getKey());
            script.append("mkdir -p '").append(to.getParent()).append("'; cp '").append(kept);
            script.append("' '").append(to).append("'\n");
        }
        program("mvn", script + more);
    }

    private record Run(int status, String output) {}

    private Run run() throws Exception {
        return run(List.of(directory.resolve(".ci/run").toString()));
    }

    private Run run(List<String> command) throws Exception {
        Path output = directory.resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("PATH", programs.toString());
        Process process = builder.start();
        assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
        return new Run(process.exitValue(), Files.readString(output));
    }

    private static Map<String, String> passed() {
        return Map.of(
                "surefire-reports/TEST-dev.holdfast.OneTest.xml", PASSED.formatted("OneTest"),
                "failsafe-reports/TEST-dev.holdfast.OneIT.xml", PASSED.formatted("OneIT"));
    }

    @Test
    void withoutASkippedTestItSucceeds() throws Exception {
        maven(passed(), "echo \"mvn $*\"");

        assertThat(run()).isEqualTo(new Run(0, "mvn verify\n"));
    }

    @Test
    void aSkippedTestFailsItByName() throws Exception {
        maven(
                Map.of(
                        "surefire-reports/TEST-dev.holdfast.OneTest.xml",
                        PASSED.formatted("OneTest"),
                        "failsafe-reports/TEST-dev.holdfast.process.DiskIT.xml",
                        SKIPPED),
                "");

        assertThat(run()).isEqualTo(new Run(1, """
                        found tests that were skipped, expected none:
                          dev.holdfast.process.DiskIT aFullDisk: strace can&apos;t trace here
                          dev.holdfast.process.PowerCutIT :\s
                        """));
    }

    @Test
    void reportsOfAnEarlierRunDoNotCount() throws Exception {
        Path old = Files.createDirectories(directory.resolve("target/failsafe-reports"));
        Files.writeString(old.resolve("TEST-dev.holdfast.process.DiskIT.xml"), SKIPPED);
        maven(passed(), "");

        assertThat(run().status()).isZero();
    }

    @Test
    void withoutReportsItFails() throws Exception {
        maven(Map.of("surefire-reports/TEST-dev.holdfast.OneTest.xml", PASSED.formatted("OneTest")), "");

        assertThat(run())
                .isEqualTo(new Run(
                        1, "found no test report in target/failsafe-reports, expected one of each test class\n"));
    }

    @Test
    void whenMavenFailsItFailsAsMavenDid() throws Exception {
        maven(passed(), "exit 7");

        assertThat(run().status()).isEqualTo(7);
    }

    @Test
    void whatIsMissingIsInstalled() throws Exception {
        Files.delete(programs.resolve("strace"));
        Files.delete(programs.resolve("mkfs.xfs"));
        maven(passed(), "");

        assertThat(run()).isEqualTo(new Run(0, """
                        apt-get update -qq
                        apt-get install -y -qq --no-install-recommends strace xfsprogs
                        """));
    }

    @Test
    void processesOfTheTestsCanBeInterruptedThoughItRunsInTheBackground() throws Exception {
        maven(passed(), "grep SigIgn /proc/$$/status");
        Run foreground = run();
        Run background = run(List.of("bash", "-c", "'" + directory.resolve(".ci/run") + "' & wait $!"));

        assertThat(foreground.output()).contains("SigIgn:");
        assertThat(background).isEqualTo(foreground);
    }
}
