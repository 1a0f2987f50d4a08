package dev.holdfast.journal;

import dev.holdfast.disk.Descriptors;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ChecksumType;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.ReadOptions;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteOptions;

/**
 * RocksDB's settings, and the owner of their native memory. What is set here was either found in fault trials (no
 * acknowledged push may be lost) or measured (a push costs as little as possible); the rest is left as it comes.
 */
final class StoreOptions implements AutoCloseable {
    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;

    /** Bytes of one memtable of pushes; a filled one becomes one file. */
    static final long PUSH_BUFFER = 32 * MIB;

    /** Few shards: each must hold the largest block, and hardly more than one thread looks things up. */
    private static final int CACHE_SHARD_BITS = 1;

    private final List<AbstractNativeReference> owned = new ArrayList<>();
    private final Cache cache = own(new LRUCache(32 * MIB, CACHE_SHARD_BITS));

    final DBOptions database;
    final ColumnFamilyOptions pushes = pushOptions();
    final ColumnFamilyOptions digests = digestOptions();
    final ColumnFamilyOptions small = smallOptions();
    final WriteOptions synced = own(new WriteOptions().setSync(true));
    final ReadOptions lookup = own(new ReadOptions());
    final ReadOptions scan = own(new ReadOptions().setFillCache(false));

    /** @param directWrites whether the file system can write past the page cache */
    StoreOptions(boolean directWrites) {
        database = databaseOptions(directWrites);
    }

    private DBOptions databaseOptions(boolean directWrites) {
        return own(new DBOptions())
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setParanoidChecks(true)
                // Stop at the first hole: what comes after one was never acknowledged.
                .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
                // Both once opened holes in recovery.
                .setRecycleLogFileNum(0)
                .setWalBytesPerSync(0)
                // On a full disk a mapped page raises SIGBUS.
                .setAllowMmapReads(false)
                .setAllowMmapWrites(false)
                // After a failed sync the log may be in the page cache only: what is recovered from it goes into a
                // synced file before anyone is told that it is stored.
                .setAvoidFlushDuringRecovery(false)
                // All families move on together, so a log that ends early never contradicts a file.
                .setAtomicFlush(true)
                // RocksDB must not resume by itself behind the writer's back: a failed handle stays failed.
                .setMaxBgErrorResumeCount(0)
                // One thread writes: nothing to coordinate.
                .setAllowConcurrentMemtableWrite(false)
                .setEnableWriteThreadAdaptiveYield(false)
                .setMaxBackgroundJobs(2)
                // What a restart has to read back.
                .setMaxTotalWalSize(4 * PUSH_BUFFER)
                // Opening must not take longer the more is kept.
                .setMaxOpenFiles(Descriptors.ofProcess().journal())
                .setSkipStatsUpdateOnDbOpen(true)
                // A push's second way to the disk, from memory into its file, past the page cache: a third less CPU a
                // push.
                .setUseDirectIoForFlushAndCompaction(directWrites)
                // Where that is not to be had: spreads it out, or the log's next sync waits for all of it.
                .setBytesPerSync(MIB)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(4)
                .setMaxLogFileSize(4 * MIB)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0);
    }

    /**
     * Keys only ever grow, so files never overlap: two levels, the second without limit, and every compaction is a move of
     * a file's name, not of its bytes. (In the first level alone files could not be dropped whole, which is how retention
     * frees space.)
     */
    private ColumnFamilyOptions pushOptions() {
        return own(new ColumnFamilyOptions())
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setWriteBufferSize(PUSH_BUFFER)
                .setMaxWriteBufferNumber(4)
                .setNumLevels(2)
                .setLevelCompactionDynamicLevelBytes(false)
                .setMaxBytesForLevelBase(1L << 60)
                .setTargetFileSizeBase(4 * PUSH_BUFFER)
                .setLevel0FileNumCompactionTrigger(2)
                .setTableFormatConfig(table().setBlockSize(32 * KIB));
    }

    /**
     * Keys are spread evenly and most look-ups find nothing: filters, in memory too. They are held whole, 1.5 bytes for each
     * kept push; parts of them, looked up in the cache for each push, cost more. Levels would rewrite most of the digests each
     * time a few new ones come; runs of like size are merged instead.
     */
    private ColumnFamilyOptions digestOptions() {
        return own(new ColumnFamilyOptions())
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setCompactionStyle(CompactionStyle.UNIVERSAL)
                .setWriteBufferSize(8 * MIB)
                .setMemtableWholeKeyFiltering(true)
                .setMemtablePrefixBloomSizeRatio(0.05)
                .setTableFormatConfig(table().setCacheIndexAndFilterBlocks(false)
                        .setFilterPolicy(own(new BloomFilter(12)))
                        .setWholeKeyFiltering(true));
    }

    private ColumnFamilyOptions smallOptions() {
        return own(new ColumnFamilyOptions()).setWriteBufferSize(MIB).setTableFormatConfig(table());
    }

    private BlockBasedTableConfig table() {
        return new BlockBasedTableConfig()
                .setFormatVersion(5)
                .setChecksumType(ChecksumType.kXXH3)
                .setBlockCache(cache)
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinL0FilterAndIndexBlocksInCache(true);
    }

    private <T extends AbstractNativeReference> T own(T reference) {
        owned.add(reference);
        return reference;
    }

    /** After the database, never before. */
    @Override
    public void close() {
        for (int i = owned.size() - 1; i >= 0; i--) {
            owned.get(i).close();
        }
    }
}
