package dev.holdfast.config;

import java.nio.file.Path;

/**
 * PEM files: the certificate chain and its private key.
 *
 * @param identity content of the files when the configuration was read
 */
public record TlsConfig(Path certificate, Path key, TlsIdentity identity) {}
