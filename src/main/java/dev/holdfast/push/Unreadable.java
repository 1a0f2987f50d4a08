package dev.holdfast.push;

/** Why the envelope of an authentic push could not be read. The order is part of the journal's byte form: append only. */
public enum Unreadable {
    /** The body is not strict UTF-8. */
    NOT_UTF8,
    /** The body holds a control byte that no JSON text holds. */
    CONTROL_BYTES,
    /** The body is no JSON text, or one beyond the parser's limits, such as that of depth. */
    NOT_JSON,
    /** The body is JSON, but no object. */
    NOT_AN_OBJECT,
    /** The object has no {@code event} that is a string of 1 to 255 characters, none of them a control character. */
    NO_EVENT;

    /** The cause as it is written in metrics and logs, e.g. {@code not-utf8}. */
    public String label() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
