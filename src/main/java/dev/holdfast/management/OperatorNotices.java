package dev.holdfast.management;

import java.util.List;
import java.util.function.Supplier;

/**
 * What the gateway's parts say that an operator should know, by what it is about; none: empty.
 *
 * @param damage what was found damaged in journal and store
 * @param disk what is done about a disk that fills
 * @param quarantine what is wrong with the quarantine itself
 * @param refusals pushes that are refused at the moment because of their signature
 */
public record OperatorNotices(
        Supplier<List<String>> damage,
        Supplier<String> disk,
        Supplier<String> quarantine,
        Supplier<List<String>> refusals) {}
