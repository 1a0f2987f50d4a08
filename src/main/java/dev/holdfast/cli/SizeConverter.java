package dev.holdfast.cli;

import dev.holdfast.config.ByteSize;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sizes in the configuration's form, up to 1 GiB. */
final class SizeConverter implements ITypeConverter<Integer> {
    private static final long MOST = 1L << 30;

    @Override
    public Integer convert(String text) {
        long bytes = ByteSize.parse(text).orElse(Long.MAX_VALUE);
        if (bytes > MOST) {
            throw new TypeConversionException(
                    "'" + text + "' (expected: a size up to 1GiB such as 3000, 3KiB or 8MiB)");
        }
        return Math.toIntExact(bytes);
    }
}
