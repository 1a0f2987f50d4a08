package dev.holdfast.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads the {@code tls} section of another one. */
final class TlsSection {
    private TlsSection() {}

    /** Null where the parent has none, or one that is wrong, which is told. */
    static @Nullable TlsConfig read(Section parent) {
        Section section = parent.section("tls", KnownKeys.TLS);
        if (!parent.isSection("tls")) {
            return null;
        }
        int problems = section.problems();
        Path certificate = section.requiredFile("certificate", NamedFiles::certificates);
        Path key = section.requiredFile("key", NamedFiles::privateKey);
        if (section.problems() > problems) {
            return null;
        }
        try {
            return new TlsConfig(certificate, key, TlsIdentity.read(certificate, key));
        } catch (InvalidValue e) {
            section.problem("key", e.found(), e.expected());
            return null;
        }
    }
}
