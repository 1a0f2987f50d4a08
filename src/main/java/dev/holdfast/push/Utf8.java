package dev.holdfast.push;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Strict UTF-8: no overlong forms, no surrogates, nothing cut off. */
final class Utf8 {
    private static final ThreadLocal<Utf8> OF_THREAD = ThreadLocal.withInitial(Utf8::new);

    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    private final CharBuffer discarded = CharBuffer.allocate(4096);

    private Utf8() {}

    static boolean isStrict(byte[] text) {
        return OF_THREAD.get().decodes(ByteBuffer.wrap(text));
    }

    private boolean decodes(ByteBuffer text) {
        decoder.reset();
        CoderResult result;
        do {
            discarded.clear();
            result = decoder.decode(text, discarded, true);
        } while (result.isOverflow());
        return !result.isError();
    }
}
