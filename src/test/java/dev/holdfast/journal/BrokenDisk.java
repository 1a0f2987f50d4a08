package dev.holdfast.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The disk, whose writes and syncs can be made to fail, or to take their time, and to work again. */
final class BrokenDisk implements LogDisk {
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicInteger syncs = new AtomicInteger();
    private final AtomicInteger badReads = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger failedReadsLeft = new AtomicInteger(Integer.MAX_VALUE);
    private volatile boolean writesFail;
    private volatile boolean syncsFail;
    private volatile boolean directorySyncsFail;
    private volatile boolean newFilesFail;
    private volatile boolean starved;
    private volatile boolean withoutSyncs;
    private volatile int bytesBeforeFailure;
    private volatile @Nullable BadBlocks badBlocks;
    private volatile long readTimeoutNanos;
    private volatile boolean mendsItself;

    /** What can't be read of segments, from a byte up to another one, each time that somebody begins to. */
    record BadBlocks(long from, long to, int stride) {
        BadBlocks(long from, long to) {
            this(from, to, 1);
        }

        /** Whether a reading from one byte up to another meets one; with a stride only each so manieth block is bad. */
        boolean areIn(long begin, long end) {
            long first = Math.max(from, begin) / LogDisk.BLOCK;
            long last = (Math.min(to, end) - 1) / LogDisk.BLOCK;
            return begin < to && end > from && (stride == 1 || (first + stride - 1) / stride * stride <= last);
        }
    }

    private volatile CountDownLatch letGo = new CountDownLatch(0);

    /** From now on nothing is written but so many bytes of the next write, and each write fails. */
    void breakWrites(int bytesOfTheNext) {
        bytesBeforeFailure = bytesOfTheNext;
        writesFail = true;
    }

    /** From now on what is written is there, yet its sync is said to have failed. */
    void breakSyncs() {
        syncsFail = true;
    }

    /** The same for the syncs of directories alone. */
    void breakDirectorySyncs() {
        directorySyncsFail = true;
    }

    /** From now on memory runs out for whoever writes. */
    void starve() {
        starved = true;
    }

    /** From now on a write does not return until {@link #mend}. */
    void hang() {
        letGo = new CountDownLatch(1);
    }

    /** The same for writes at the beginning of a file. */
    void breakNewFiles() {
        newFilesFail = true;
    }

    /** From now on these bytes of no segment can be read; they are tried again for so long as {@link #pass} says. */
    void breakReads(BadBlocks bad, long readTimeoutNanos) {
        this.readTimeoutNanos = readTimeoutNanos;
        badBlocks = bad;
    }

    /** Lets so much of that time pass. */
    void pass(long nanos) {
        this.nanos.addAndGet(nanos);
    }

    /** What can't be read can after so many reads that failed, for which an opening waits. */
    void mendReadsAfter(int reads) {
        failedReadsLeft.set(reads);
        mendsItself = true;
    }

    /** Syncs do nothing from now on: for a test of what files hold that opens thousands of them. */
    void skipSyncs() {
        withoutSyncs = true;
    }

    void mend() {
        letGo.countDown();
        writesFail = false;
        syncsFail = false;
        directorySyncsFail = false;
        newFilesFail = false;
        starved = false;
        badBlocks = null;
        failedReadsLeft.set(Integer.MAX_VALUE);
    }

    /** Writes tried so far. */
    int writes() {
        return writes.get();
    }

    int syncs() {
        return syncs.get();
    }

    /** Reads so far of what can't be read. */
    int badReads() {
        return badReads.get();
    }

    @Override
    public void write(FileChannel channel, ByteBuffer bytes) throws IOException {
        writes.incrementAndGet();
        try {
            letGo.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (starved) {
            throw new OutOfMemoryError("made up");
        }
        if (writesFail || (newFilesFail && channel.position() == 0)) {
            int some = Math.min(bytesBeforeFailure, bytes.remaining());
            bytesBeforeFailure = 0;
            LogDisk.super.write(channel, bytes.slice(bytes.position(), some));
            throw new IOException("No space left on device");
        }
        LogDisk.super.write(channel, bytes);
    }

    @Override
    public long readTimeoutNanos() {
        return readTimeoutNanos;
    }

    @Override
    public long nanoTime() {
        return nanos.get();
    }

    @Override
    public boolean gives(Path file) {
        BadBlocks bad = badBlocks;
        return (bad == null || bad.from() > 0 || failedReadsLeft.get() <= 0) && LogDisk.super.gives(file);
    }

    @Override
    public long openingTimeoutNanos() {
        return mendsItself ? TimeUnit.SECONDS.toNanos(60) : 0;
    }

    @Override
    public int read(FileChannel segment, ByteBuffer target, long from) throws IOException {
        BadBlocks bad = badBlocks;
        if (bad != null && bad.areIn(from, from + target.remaining()) && failedReadsLeft.getAndDecrement() > 0) {
            badReads.incrementAndGet();
            throw new IOException("Input/output error");
        }
        return LogDisk.super.read(segment, target, from);
    }

    @Override
    public void sync(FileChannel channel) throws IOException {
        syncs.incrementAndGet();
        if (!withoutSyncs) {
            LogDisk.super.sync(channel);
        }
        if (syncsFail) {
            throw new IOException("Input/output error");
        }
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        if (directorySyncsFail) {
            throw new IOException("Input/output error");
        }
        if (!withoutSyncs) {
            LogDisk.super.syncDirectory(directory);
        }
    }
}
