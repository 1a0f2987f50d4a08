package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;

/** What the pushes of one lane have in common: the enterprise and the family of the event. */
record LaneKey(String endpoint, String enterpriseToken, String family) {
    static LaneKey of(PushRecord push) {
        return new LaneKey(
                push.endpoint(),
                push.envelope().enterpriseToken(),
                push.envelope().family());
    }
}
