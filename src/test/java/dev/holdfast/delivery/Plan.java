package dev.holdfast.delivery;

import java.util.List;
import java.util.stream.Stream;

/** All of a play that is decided before it begins. */
record Plan(List<PlannedConsumer> consumers, List<Step> steps) {
    /** In the order of their positions in the journal, which begin with 1. */
    List<PlannedPush> pushes() {
        return steps.stream()
                .flatMap(step -> step instanceof Step.Send send ? send.pushes().stream() : Stream.of())
                .toList();
    }

    /** One line for each consumer and each step; pushes with their positions. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        consumers.forEach(consumer -> text.append("\n  ").append(consumer));
        long seq = 0;
        for (Step step : steps) {
            text.append("\n  ");
            if (step instanceof Step.Send send) {
                text.append("Send");
                for (PlannedPush push : send.pushes()) {
                    text.append(' ').append(++seq).append('=').append(push);
                }
            } else {
                text.append(step);
            }
        }
        return text.append('\n').toString();
    }
}
