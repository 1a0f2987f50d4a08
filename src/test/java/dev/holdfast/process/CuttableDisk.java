package dev.holdfast.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An XFS or ext4 of its own in a file, mounted, whose power can be cut: from then on nothing that was not synced reaches the disk.
 * Needs root, loop devices, xfsprogs and e2fsprogs.
 */
final class CuttableDisk implements AutoCloseable {
    /** The smallest that XFS takes is 300 MiB. */
    private static final long SIZE = 512L << 20;

    private final Path image;
    private final Path mount;
    private boolean mounted;

    private CuttableDisk(Path image, Path mount) {
        this.image = image;
        this.mount = mount;
    }

    /** Why this machine can't have one; empty when it can. */
    static String obstacle(String fileSystem, Path directory) {
        try (CuttableDisk disk = make(fileSystem, directory)) {
            disk.cutPower();
            return "";
        } catch (IOException | AssertionError e) {
            return "making, mounting and shutting down a small " + fileSystem
                    + " is not permitted or not possible here: " + e.getMessage();
        }
    }

    /** @param fileSystem {@code xfs} or {@code ext4} */
    static CuttableDisk make(String fileSystem, Path directory) throws IOException {
        Path mount = Files.createDirectories(directory.resolve("mount"));
        Path image = directory.resolve("image");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(SIZE);
        }
        Command.execute("mkfs." + fileSystem, "-q", fileSystem.equals("xfs") ? "-f" : "-F", image.toString());
        CuttableDisk disk = new CuttableDisk(image, mount);
        disk.mount();
        return disk;
    }

    Path path(String name) {
        return mount.resolve(name);
    }

    /** What is in memory only is lost, as with the power; the file system answers every call with an error from now on. */
    void cutPower() throws IOException {
        Command.execute("xfs_io", "-x", "-c", "shutdown", mount.toString());
    }

    /**
     * After the cut, with nobody using it any more: mounts it again, and it recovers from its own log. A process that was begun in a
     * mount namespace of its own has the dead one in there until it ends, and as long as it is there it would be mounted once more.
     */
    void restorePower() throws IOException {
        unmount();
        Await.until(
                "nobody holds " + image,
                () -> Command.execute("losetup", "--associated", image.toString())
                        .isEmpty());
        mount();
    }

    private void mount() throws IOException {
        Command.execute("mount", "-o", "loop", image.toString(), mount.toString());
        mounted = true;
    }

    private void unmount() throws IOException {
        Command.execute("umount", mount.toString());
        mounted = false;
    }

    @Override
    public void close() throws IOException {
        if (mounted) {
            unmount();
        }
    }
}
