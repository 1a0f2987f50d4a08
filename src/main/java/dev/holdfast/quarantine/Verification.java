package dev.holdfast.quarantine;

/**
 * What became of the quarantined requests that were checked again.
 *
 * @param pushes are new pushes, and left the quarantine
 * @param duplicates had come in properly meanwhile, or twice, and left the quarantine
 * @param wrong still don't match, and stay
 * @param unknown came to an endpoint that is not configured, and stay
 * @param failed are authentic and could not be stored at the moment, and stay
 * @param next where to go on; 0: that was all, or nothing can be stored
 */
public record Verification(long pushes, long duplicates, long wrong, long unknown, long failed, long next) {}
