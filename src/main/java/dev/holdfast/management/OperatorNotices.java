package dev.holdfast.management;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What an operator should know, by subject; a subject's list is empty if there is nothing. Asked on a worker thread.
 *
 * @param damage what was found damaged in journal and store
 * @param disk what is done about a disk that fills
 * @param reload what of the changed configuration was not taken up
 * @param quarantine what is wrong with the quarantine itself
 * @param refusals pushes that are refused at the moment because of their signature
 */
public record OperatorNotices(
        Supplier<List<String>> damage,
        Supplier<String> disk,
        Supplier<List<String>> reload,
        Supplier<String> quarantine,
        Supplier<List<String>> refusals) {
    /** All of them, a line each. */
    public List<String> all() {
        return Stream.of(damage.get(), List.of(disk.get()), reload.get(), List.of(quarantine.get()), refusals.get())
                .flatMap(List::stream)
                .filter(line -> !line.isEmpty())
                .toList();
    }
}
