package dev.holdfast.gateway;

import dev.holdfast.Storage;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.journal.BrokenJournal;
import dev.holdfast.journal.TrialJournal;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Opens a gateway's storage with a journal that the test has in its hands. */
final class HeldStorage<J> implements Storage.Opener {
    private final BiFunction<Path, MeterRegistry, J> opening;
    private final Function<J, Storage> parts;
    private volatile @Nullable J journal;

    private HeldStorage(BiFunction<Path, MeterRegistry, J> opening, Function<J, Storage> parts) {
        this.opening = opening;
        this.parts = parts;
    }

    static HeldStorage<TrialJournal> trial() {
        return new HeldStorage<>(TrialJournal::open, journal -> new Storage(journal, journal));
    }

    static HeldStorage<BrokenJournal> broken() {
        return new HeldStorage<>(BrokenJournal::open, broken -> new Storage(broken.journal(), broken.store()));
    }

    @Override
    public Storage open(HoldfastConfig config, MeterRegistry registry) {
        J opened = opening.apply(config.journal().directory(), registry);
        journal = opened;
        return parts.apply(opened);
    }

    /** The one that was opened last. */
    J journal() {
        return Objects.requireNonNull(journal);
    }
}
