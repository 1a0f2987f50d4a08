package dev.holdfast.management;

/**
 * How it stands with the signature of a push that is kept.
 *
 * @param header the name of the header it came in
 * @param matches whether a secret that is live now matches
 */
public record PushSignature(String header, boolean matches) {}
