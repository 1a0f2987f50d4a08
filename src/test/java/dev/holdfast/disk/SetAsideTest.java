package dev.holdfast.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SetAsideTest {
    private static final long MIB = 1 << 20;

    @TempDir
    private Path directory;

    private Path file() {
        return directory.resolve("set-aside");
    }

    @Test
    void isMadeByPartsAndGivenUpAsAWhole() throws IOException {
        SetAside space = new SetAside(file(), 5 * MIB + 1);

        space.make(3 * MIB);
        assertThat(space.size()).isEqualTo(3 * MIB);
        space.make(3 * MIB);
        assertThat(space.missing()).isZero();
        assertThat(file()).hasSize(5 * MIB + 1);

        assertThat(space.release()).isEqualTo(5 * MIB + 1);
        assertThat(file()).doesNotExist();
        assertThat(space.release()).isZero();
    }

    @Test
    void takesRealBlocksThatNoFileSystemCanSaveOn() throws IOException {
        new SetAside(file(), 2 * MIB).make(2 * MIB);

        byte[] bytes = Files.readAllBytes(file());
        Deflater deflater = new Deflater();
        deflater.setInput(bytes);
        deflater.finish();
        int compressed = 0;
        byte[] out = new byte[65_536];
        while (!deflater.finished()) {
            compressed += deflater.deflate(out);
        }
        deflater.end();
        assertThat(compressed).isGreaterThan(bytes.length * 9 / 10);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
    }

    @Test
    void whatALifeBeforeLeftUnfinishedIsCompletedAndWhatIsTooLargeMadeAnew() throws IOException {
        new SetAside(file(), 8 * MIB).make(3 * MIB);

        SetAside larger = new SetAside(file(), 4 * MIB);
        larger.make(8 * MIB);
        assertThat(larger.size()).isEqualTo(4 * MIB);

        SetAside smaller = new SetAside(file(), MIB);
        smaller.make(8 * MIB);
        assertThat(smaller.size()).isEqualTo(MIB);

        SetAside none = new SetAside(file(), 0);
        none.make(8 * MIB);
        assertThat(file()).doesNotExist();
    }
}
