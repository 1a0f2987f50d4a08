package dev.holdfast.journal;

import java.util.List;

/**
 * What a reading of every record of a log came to.
 *
 * @param segments files
 * @param records whole ones, whatever they hold
 * @param pushes whole ones
 * @param bytes of all files
 * @param damage by file and byte; empty when all is whole
 */
public record JournalVerification(int segments, long records, long pushes, long bytes, List<JournalDamage> damage) {
    public JournalVerification {
        damage = List.copyOf(damage);
    }

    /** How many positions are gone. */
    public long gone() {
        return damage.stream().mapToLong(JournalDamage::gone).sum();
    }
}
