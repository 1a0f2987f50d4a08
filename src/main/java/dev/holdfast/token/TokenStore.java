package dev.holdfast.token;

import dev.holdfast.config.Secret;
import dev.holdfast.disk.OwnerOnly;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the token in two files that only their owner can read, written in turn, so that the previous generation stays
 * whole whatever happens to the one being written. A file is written beside its place, synced and renamed into it, and
 * the directory is synced. Blocks: not on an event loop; one call at a time.
 */
final class TokenStore {
    private static final Logger LOG = LoggerFactory.getLogger(TokenStore.class);
    private static final List<String> FILES = List.of("token-0", "token-1");
    private static final String LAST_REQUEST = "last-request";
    private static final long MOST_BYTES = 1024 * 1024;

    private final Path directory;
    private final TokenFileCodec codec;
    private final Set<Path> unreadable = new HashSet<>();
    private boolean anyPlain;
    private boolean withheld;
    private volatile String problem = "";

    /** @param directory need not exist */
    TokenStore(Path directory, @Nullable Secret key) {
        this(directory, key, TokenFileCodec.ROUNDS);
    }

    /** @param rounds of the key's derivation */
    TokenStore(Path directory, @Nullable Secret key, int rounds) {
        this.directory = directory;
        this.codec = new TokenFileCodec(key, rounds);
    }

    /** The latest generation that is whole; null when there is none. Never fails: what can't be read is logged. */
    @Nullable
    PersistedToken load() {
        PersistedToken latest = null;
        for (String name : FILES) {
            PersistedToken kept = read(directory.resolve(name));
            if (kept != null && (latest == null || kept.generation() > latest.generation())) {
                latest = kept;
            }
        }
        if (latest != null && anyPlain && codec.encrypts()) {
            latest = encryptBoth(latest);
        }
        return latest;
    }

    /**
     * Whether there is a file that might be opened with another key or version, or once the disk works again. Known
     * after {@link #load}.
     */
    boolean withheld() {
        return withheld;
    }

    /** Why a file could not be read by {@link #load}; empty if all could. */
    String problem() {
        return problem;
    }

    /**
     * Stores this beside the previous generation. A file that could not be read is put aside, in case its key comes
     * back.
     */
    void save(PersistedToken kept) throws IOException {
        OwnerOnly.ownDirectory(directory);
        for (Path file : unreadable) {
            if (Files.exists(file)) {
                Path aside = file.resolveSibling(file.getFileName() + ".unreadable");
                Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        unreadable.clear();
        problem = "";
        OwnerOnly.replace(
                directory.resolve(FILES.get((int) (kept.generation() % FILES.size()))), codec.close(kept.toBytes()));
    }

    /** Notes that a request begins, so that a gateway that is restarted over and over doesn't flood the service. */
    void requestBegins(Instant now) throws IOException {
        OwnerOnly.ownDirectory(directory);
        Path file = directory.resolve(LAST_REQUEST);
        OwnerOnly.write(file, Long.toString(now.toEpochMilli()).getBytes(StandardCharsets.US_ASCII));
    }

    /** When the last request began; empty if there was none or it isn't known. */
    Optional<Instant> lastRequest() {
        try {
            String text = new String(OwnerOnly.read(directory.resolve(LAST_REQUEST)), StandardCharsets.US_ASCII);
            return Optional.of(Instant.ofEpochMilli(Long.parseLong(text.strip())));
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private @Nullable PersistedToken read(Path file) {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new UnreadableTokenException("found more than " + MOST_BYTES + " bytes");
            }
            byte[] bytes = Files.readAllBytes(file);
            withheld |= TokenFileCodec.mayOpenOtherwise(bytes);
            PersistedToken kept = PersistedToken.of(codec.open(bytes));
            anyPlain |= !TokenFileCodec.isEncrypted(bytes);
            return kept;
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            withheld = true;
            giveUp(file, "found a file that can't be read (" + e.getClass().getSimpleName() + ")");
        } catch (UnreadableTokenException e) {
            giveUp(file, String.valueOf(e.getMessage()));
        }
        return null;
    }

    private void giveUp(Path file, String why) {
        unreadable.add(file);
        problem = why;
        LOG.warn("the kept token in {} can't be read: {}", file, why);
    }

    /** Encrypts both files: now that there is a key, no plain one may stay. */
    private PersistedToken encryptBoth(PersistedToken kept) {
        PersistedToken next = kept;
        try {
            for (int i = 0; i < FILES.size(); i++) {
                next = next.again();
                save(next);
            }
            anyPlain = false;
        } catch (IOException e) {
            LOG.warn("the kept token could not be encrypted: {}", e.toString());
        }
        return next;
    }
}
