package dev.holdfast.management;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What an operator should know, by subject; a subject's list is empty if there is nothing. Asked on a worker thread.
 *
 * @param damage what was found damaged in journal and store
 * @param store why the store is not open
 * @param disk what is done about a disk that fills
 * @param reload that the changed configuration was refused
 * @param certificates of the ports: those that are not good now, or soon will not be
 * @param quarantine what is wrong with the quarantine itself
 * @param refusals pushes that are refused at the moment because of their signature
 */
public record OperatorNotices(
        Supplier<List<String>> damage,
        Supplier<String> store,
        Supplier<String> disk,
        Supplier<String> reload,
        Supplier<List<Certificate>> certificates,
        Supplier<String> quarantine,
        Supplier<List<String>> refusals) {
    /**
     * What is wrong with a certificate.
     *
     * @param refused whether those who connect refuse it now
     */
    public record Certificate(String notice, boolean refused) {}

    /** All of them, a line each. */
    public List<String> all() {
        return Stream.of(
                        damage.get().stream(),
                        Stream.of(store.get(), disk.get(), reload.get()),
                        certificates.get().stream().map(Certificate::notice),
                        Stream.of(quarantine.get()),
                        refusals.get().stream())
                .flatMap(lines -> lines)
                .filter(line -> !line.isEmpty())
                .toList();
    }
}
