package dev.holdfast.process;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** An ext4 of its own in a file, mounted, which can be filled and freed again. Needs root and loop devices. */
final class SmallDisk implements AutoCloseable {
    private static final int MIB = 1 << 20;

    private final Path mount;

    private SmallDisk(Path mount) {
        this.mount = mount;
    }

    /** Why this machine can't have one; empty when it can. */
    static String obstacle(Path directory) throws IOException {
        try (SmallDisk disk = mounted(directory.resolve("trial"), 16)) {
            return Files.isWritable(disk.mount) ? "" : "the mounted disk can't be written";
        } catch (IOException | AssertionError e) {
            return "making and mounting a small ext4 is not permitted or not possible here: " + e.getMessage();
        }
    }

    static SmallDisk mounted(Path directory, int mebibytes) throws IOException {
        Path mount = Files.createDirectories(directory.resolve("mount"));
        Path image = directory.resolve("image");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength((long) mebibytes * MIB);
        }
        // No blocks put aside for root, or root would have room where others have none.
        Command.execute("mkfs.ext4", "-q", "-F", "-m", "0", image.toString());
        Command.execute("mount", "-o", "loop", image.toString(), mount.toString());
        return new SmallDisk(mount);
    }

    Path path(String name) {
        return mount.resolve(name);
    }

    /** Takes space away until only about so much is left. */
    void fillUpTo(int mebibytesLeft) throws IOException {
        fill(mebibytesLeft, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
    }

    private void fill(int mebibytesLeft, OpenOption... how) throws IOException {
        byte[] zeros = new byte[MIB];
        try (OutputStream ballast = Files.newOutputStream(path("ballast"), how)) {
            // As it is now: what somebody frees because of this is not to be taken, too.
            long mebibytes = mount.toFile().getUsableSpace() / MIB - mebibytesLeft;
            for (long i = 0; i < mebibytes; i++) {
                ballast.write(zeros);
            }
        }
    }

    /** Takes more of it away until only about so much is left. */
    void fillFurther(int mebibytesLeft) throws IOException {
        fill(mebibytesLeft, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Takes every byte away that is left. */
    void fill() throws IOException {
        fillUpTo(1);
        fillCompletely();
    }

    /** The same when some of it is taken already. */
    void fillCompletely() throws IOException {
        fillFurther(1);
        byte[] zeros = new byte[4096];
        try (OutputStream ballast = Files.newOutputStream(path("ballast"), StandardOpenOption.APPEND)) {
            while (true) {
                ballast.write(zeros);
            }
        } catch (IOException e) {
            if (mount.toFile().getUsableSpace() >= zeros.length) {
                throw e;
            }
        }
    }

    /** From now on whoever writes to it waits, in the kernel, until {@link #thaw}. */
    void freeze() throws IOException {
        Command.execute("fsfreeze", "--freeze", mount.toString());
    }

    void thaw() throws IOException {
        Command.execute("fsfreeze", "--unfreeze", mount.toString());
    }

    /** Gives the space back. */
    void free() throws IOException {
        Files.delete(path("ballast"));
    }

    @Override
    public void close() throws IOException {
        Command.execute("umount", mount.toString());
    }
}
