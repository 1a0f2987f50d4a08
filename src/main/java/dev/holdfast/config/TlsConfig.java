package dev.holdfast.config;

import java.nio.file.Path;

/** PEM files: the certificate chain and its private key. */
public record TlsConfig(Path certificate, Path key) {}
