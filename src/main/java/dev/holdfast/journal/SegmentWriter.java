package dev.holdfast.journal;

import dev.holdfast.disk.OwnerOnly;
import dev.holdfast.disk.PlacedFile;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RecordForm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends to the newest segment: records are gathered in a buffer, and durable with {@link #sync}. After the first failure it
 * is to be {@link #cut}, and never written to again. By the writer thread; {@link #seal} by another one when the writer has
 * turned to the next segment.
 */
final class SegmentWriter {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentWriter.class);

    private final Segment segment;
    private final FileChannel channel;
    private final LogDisk disk;
    private final ByteBuffer chunk;
    private final long begunAt = System.nanoTime();
    private final SparseIndex index = new SparseIndex();
    /** The chunk, or what holds one record that is larger. */
    private ByteBuffer buffer;
    /** Where the buffer's first byte goes. */
    private long written;

    private boolean dirty;
    private long lastSeq;
    private long noteAt;
    private final DigestList digests;
    /** Null until it has its name. */
    private volatile @Nullable PlacedFile place;

    private SegmentWriter(Segment segment, FileChannel channel, LogDisk disk, ByteBuffer chunk, DigestList digests) {
        this.segment = segment;
        this.channel = channel;
        this.disk = disk;
        this.chunk = chunk.clear();
        this.digests = digests;
        this.buffer = this.chunk;
        this.lastSeq = segment.firstSeq() - 1;
        segment.index(index);
    }

    /**
     * Begins a segment. It takes its place among the others, and the place of an older one with the same first position, with
     * {@link #publish}.
     *
     * @param chunk direct; to be used by this one alone until the next is begun
     * @param digests none; to be used by this one alone until it is sealed
     */
    static SegmentWriter begin(LogDirectory directory, long firstSeq, ByteBuffer chunk, DigestList digests)
            throws IOException {
        FileChannel channel = OwnerOnly.open(
                directory.unfinished(firstSeq),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
        int marker = ThreadLocalRandom.current().nextInt() | 1;
        Segment segment = new Segment(directory.segment(firstSeq), firstSeq, marker);
        SegmentWriter writer = new SegmentWriter(segment, channel, directory.disk(), chunk, digests);
        SegmentFormat.putHeader(writer.buffer, marker, firstSeq);
        return writer;
    }

    /** After {@link #sync}: makes it durable that the file is there. */
    void publish(LogDirectory directory) throws IOException {
        directory.publish(directory.unfinished(segment.firstSeq()), segment.path());
        place = PlacedFile.at(segment.path());
        commit();
    }

    /** Whether the file still has its name. Any thread; asks the disk. */
    boolean isInPlace() {
        PlacedFile named = place;
        return named != null && named.isInPlace();
    }

    Segment segment() {
        return segment;
    }

    /** Where the next record begins. */
    long position() {
        return written + buffer.position();
    }

    /** Of what was appended. */
    DigestList digests() {
        return digests;
    }

    /** By {@link System#nanoTime}. */
    long begunAt() {
        return begunAt;
    }

    void push(PushRecord push, long seq, long digest) throws IOException {
        makeRoom(SegmentFormat.RECORD_HEAD + RecordForm.maxLength(push));
        int start = begin(seq, digest);
        RecordForm.encode(push, buffer);
        end(start, SegmentFormat.PUSH);
    }

    /** A push in the form in which another segment keeps it. */
    void push(byte[] form, long seq, long digest) throws IOException {
        makeRoom(SegmentFormat.RECORD_HEAD + form.length);
        int start = begin(seq, digest);
        buffer.put(form);
        end(start, SegmentFormat.PUSH);
    }

    private int begin(long seq, long digest) {
        index.add(seq, position());
        digests.add(digest, seq);
        lastSeq = seq;
        return SegmentFormat.begin(buffer);
    }

    void note(byte[] state) throws IOException {
        makeRoom(SegmentFormat.RECORD_HEAD + state.length);
        noteAt = position();
        int start = SegmentFormat.begin(buffer);
        buffer.put(state);
        end(start, SegmentFormat.NOTE);
    }

    private void end(int start, int kind) {
        SegmentFormat.end(buffer, start, segment.marker(), lastSeq, kind, !dirty);
        dirty = true;
    }

    private void makeRoom(int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            flush();
        }
        if (buffer.remaining() < bytes) {
            buffer = ByteBuffer.allocate(bytes);
        }
    }

    private void flush() throws IOException {
        written += buffer.flip().remaining();
        // In parts, since for each write the JDK keeps a buffer outside of the heap that is as large.
        while (buffer.hasRemaining()) {
            int bytes = Math.min(chunk.capacity(), buffer.remaining());
            disk.write(channel, buffer.slice(buffer.position(), bytes));
            buffer.position(buffer.position() + bytes);
        }
        buffer = chunk.clear();
    }

    /** Whether there is anything to {@link #sync}. */
    boolean isDirty() {
        return dirty;
    }

    /** Makes the group durable. */
    void sync() throws IOException {
        flush();
        disk.sync(channel);
        PlacedFile named = place;
        if (named != null) {
            named.mustBeInPlace();
        }
    }

    /** After {@link #sync}: the group may be seen, and the next one begins. */
    void commit() {
        dirty = false;
        segment.grownTo(lastSeq, written);
    }

    /**
     * After a failure: nothing more comes, and what is behind the last group that is durable is cut off, if that can be done.
     * It doesn't count in any case once the next segment is there.
     */
    void cut() {
        try (channel) {
            channel.truncate(segment.end());
        } catch (IOException e) {
            LOG.warn("{} can't be cut back to {} bytes: {}", segment, segment.end(), e.toString());
        }
    }

    /** Nothing more comes: completes the file, for a quick opening, and closes it. Nothing is lost when that fails. */
    void seal() {
        try (channel) {
            seal(segment, channel, digests, noteAt, disk);
        } catch (IOException e) {
            LOG.warn("{} can't be sealed, so the next opening reads all of it: {}", segment, e.toString());
        }
    }

    /** Appends what completes it, where the channel stands: its digests, if they are not too sparse, and its footer. */
    private static void seal(Segment segment, FileChannel channel, DigestList digests, long noteAt, LogDisk disk)
            throws IOException {
        long positions = segment.lastSeq() - segment.firstSeq() + 1;
        boolean dense = positions <= 2L * digests.count();
        int length = SegmentFormat.FOOTER_LENGTH
                + (dense ? SegmentFormat.RECORD_HEAD + Math.toIntExact(Long.BYTES * positions) : 0);
        ByteBuffer seal = ByteBuffer.allocate(length);
        if (dense) {
            int start = SegmentFormat.begin(seal);
            long[] all = digests.byPosition(segment.firstSeq(), segment.lastSeq());
            seal.asLongBuffer().put(all);
            seal.position(seal.position() + Long.BYTES * all.length);
            SegmentFormat.end(seal, start, segment.marker(), segment.lastSeq(), SegmentFormat.DIGESTS, true);
        }
        SegmentFormat.putFooter(
                seal,
                new SegmentFormat.Footer(
                        segment.marker(), segment.lastSeq(), digests.count(), noteAt, dense ? segment.end() : 0));
        disk.write(channel, seal.flip());
        disk.sync(channel);
        segment.seal(channel.position());
    }

    /** Cuts off what is behind the end of a segment, and seals it; its digests are made again. */
    static void seal(Segment segment, long noteAt, LogDisk disk) throws IOException {
        DigestList digests = DigestList.of(disk, segment, segment.firstSeq(), segment.lastSeq());
        try (FileChannel channel = FileChannel.open(segment.path(), StandardOpenOption.WRITE)) {
            channel.truncate(segment.end()).position(segment.end());
            seal(segment, channel, digests, noteAt, disk);
        }
    }

    /** Nothing more comes, and it is left as it is. */
    void close() {
        chunk.clear();
        try {
            channel.close();
        } catch (IOException e) {
            LOG.warn("{} can't be closed: {}", segment, e.toString());
        }
    }
}
