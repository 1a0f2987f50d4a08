package dev.holdfast.cli;

import dev.holdfast.simulator.Fault;
import dev.holdfast.simulator.TokenFault;
import java.util.Arrays;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads faults as they are written in the help: by themselves enums may be written in two ways, and a mistake names both. */
final class FaultConverters {
    private FaultConverters() {}

    static final class OfPush implements ITypeConverter<Fault> {
        @Override
        public Fault convert(String value) {
            return find(value, Fault.values());
        }
    }

    static final class OfToken implements ITypeConverter<TokenFault> {
        @Override
        public TokenFault convert(String value) {
            return find(value, TokenFault.values());
        }
    }

    private static <E extends Enum<E>> E find(String value, E[] known) {
        return Arrays.stream(known)
                .filter(one -> one.toString().equals(value))
                .findFirst()
                .orElseThrow(() ->
                        new TypeConversionException("found " + value + ", expected one of " + Arrays.toString(known)));
    }
}
