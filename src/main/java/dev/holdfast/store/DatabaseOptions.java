package dev.holdfast.store;

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
import org.rocksdb.Env;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Priority;
import org.rocksdb.ReadOptions;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteOptions;

/**
 * RocksDB's settings, and the owner of their native memory. What is set here was either found in fault trials or keeps the
 * store out of the receiver's way; the rest is left as it comes.
 */
final class DatabaseOptions implements AutoCloseable {
    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;

    /** Few shards: each must hold the largest block, and few threads look things up. */
    private static final int CACHE_SHARD_BITS = 1;

    private final List<AbstractNativeReference> owned = new ArrayList<>();
    private final Cache cache = own(new LRUCache(8 * MIB, CACHE_SHARD_BITS));

    final DBOptions database = databaseOptions();
    final ColumnFamilyOptions small =
            own(new ColumnFamilyOptions()).setWriteBufferSize(2 * MIB).setTableFormatConfig(smallTable());
    final ColumnFamilyOptions digests = digestOptions();
    final WriteOptions synced = own(new WriteOptions().setSync(true));
    final WriteOptions unsynced = own(new WriteOptions().setSync(false));
    final ReadOptions lookup = own(new ReadOptions());
    final ReadOptions scan = own(new ReadOptions().setFillCache(false));

    private DBOptions databaseOptions() {
        return own(new DBOptions())
                .setEnv(background())
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setParanoidChecks(true)
                // Stop at the first hole: what is left is as it once was, and nothing in it contradicts the rest. With
                // what lies behind the hole a position could be there without the blocked pushes that it has passed.
                .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
                // Both once opened holes in recovery.
                .setRecycleLogFileNum(0)
                .setWalBytesPerSync(0)
                // On a full disk a mapped page raises SIGBUS.
                .setAllowMmapReads(false)
                .setAllowMmapWrites(false)
                // After a failed sync the log may be in the page cache only: what is recovered from it goes into a
                // synced file before anyone builds on it.
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
                .setMaxTotalWalSize(16 * MIB)
                // Opening must not take longer the more is kept.
                .setMaxOpenFiles(64)
                // In one shard: by default each of 64 has room for one file, and opens it anew for nearly every
                // look-up.
                .setTableCacheNumshardbits(0)
                .setSkipStatsUpdateOnDbOpen(true)
                // Spreads out what compaction writes, or the journal's next sync waits for all of it.
                .setBytesPerSync(MIB)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(4)
                .setMaxLogFileSize(4 * MIB)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0);
    }

    /** Compaction runs when nothing else wants the processor. */
    private static Env background() {
        return Env.getDefault().lowerThreadPoolCPUPriority(Priority.LOW);
    }

    /**
     * Keys are spread evenly and most look-ups find nothing: filters, held whole, 1.5 bytes for each kept push. Levels would
     * rewrite most of the digests each time a few new ones come; runs of like size are merged instead.
     */
    private ColumnFamilyOptions digestOptions() {
        return own(new ColumnFamilyOptions())
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setCompactionStyle(CompactionStyle.UNIVERSAL)
                .setWriteBufferSize(4 * MIB)
                .setTableFormatConfig(table().setCacheIndexAndFilterBlocks(false)
                        .setFilterPolicy(own(new BloomFilter(12)))
                        .setWholeKeyFiltering(true));
    }

    private BlockBasedTableConfig smallTable() {
        return table().setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setFilterPolicy(own(new BloomFilter(10)));
    }

    private BlockBasedTableConfig table() {
        return new BlockBasedTableConfig()
                .setFormatVersion(5)
                .setChecksumType(ChecksumType.kXXH3)
                .setBlockCache(cache);
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
