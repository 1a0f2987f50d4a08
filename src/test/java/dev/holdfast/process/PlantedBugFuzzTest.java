package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.fuzz.FuzzTarget;
import dev.holdfast.journal.JournalException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fuzzing's own test: what every build tries has to find a mistake that was made on purpose. */
class PlantedBugFuzzTest {
    @TempDir
    Path directory;

    @Test
    void theSegmentsTargetFindsARecordThatIsTrustedWithoutItsChecksum() throws Exception {
        FuzzTarget target = FuzzTarget.all().stream()
                .filter(any -> any.name().equals("segment"))
                .findAny()
                .orElseThrow();
        PlantedBug.TRUSTS_A_RECORD_WITHOUT_ITS_CHECKSUM.compile(
                place(JournalException.class) + File.pathSeparator + place(NullMarked.class), directory);

        assertThat(firstFailure(target, new OwnClasses(directory.resolve("none"))))
                .isEqualTo("none");
        assertThat(firstFailure(target, new OwnClasses(directory)))
                .contains("which no whole record of the segment holds");
    }

    private static Path place(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    /** Loads the project's classes anew, those in a directory in place of the sound ones. */
    private static final class OwnClasses extends ClassLoader {
        private final Path first;

        OwnClasses(Path first) {
            super(PlantedBugFuzzTest.class.getClassLoader());
            this.first = first;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("dev.holdfast.")) {
                return super.loadClass(name, resolve);
            }
            Class<?> known = findLoadedClass(name);
            return known == null ? define(name) : known;
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            String file = name.replace('.', '/') + ".class";
            Path planted = first.resolve(file);
            try (InputStream sound = getParent().getResourceAsStream(file)) {
                if (sound == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = Files.exists(planted) ? Files.readAllBytes(planted) : sound.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private static String firstFailure(FuzzTarget target, ClassLoader classes) throws ReflectiveOperationException {
        Method run = classes.loadClass(target.type().getName()).getMethod("fuzzerTestOneInput", byte[].class);
        for (byte[] input : target.shortInputs().toList()) {
            try {
                run.invoke(null, (Object) input);
            } catch (InvocationTargetException e) {
                return String.valueOf(e.getCause());
            }
        }
        return "none";
    }
}
