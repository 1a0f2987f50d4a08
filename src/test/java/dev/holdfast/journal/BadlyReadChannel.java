package dev.holdfast.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A file of which some bytes can't be read: a reading that meets them fails, as on a disk with a bad sector. */
final class BadlyReadChannel extends FileChannel {
    private final FileChannel file;
    private final BrokenDisk.BadBlocks bad;
    private final BrokenDisk disk;

    BadlyReadChannel(FileChannel file, BrokenDisk.BadBlocks bad, BrokenDisk disk) {
        this.file = file;
        this.bad = bad;
        this.disk = disk;
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        if (bad.areIn(position, position + target.remaining()) && disk.stillFails()) {
            throw new IOException("Input/output error");
        }
        return file.read(target, position);
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    protected void implCloseChannel() throws IOException {
        file.close();
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("found a use of a segment that is only read (expected: reading)");
    }

    @Override
    public int read(ByteBuffer target) {
        throw unused();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw unused();
    }

    @Override
    public int write(ByteBuffer source) {
        throw unused();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw unused();
    }

    @Override
    public int write(ByteBuffer source, long position) {
        throw unused();
    }

    @Override
    public long position() {
        throw unused();
    }

    @Override
    public FileChannel position(long position) {
        throw unused();
    }

    @Override
    public FileChannel truncate(long size) {
        throw unused();
    }

    @Override
    public void force(boolean metaData) {
        throw unused();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
        throw unused();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw unused();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw unused();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw unused();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        throw unused();
    }
}
