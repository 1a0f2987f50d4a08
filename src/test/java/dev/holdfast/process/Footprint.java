package dev.holdfast.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What a gateway takes of the machine.
 *
 * @param resident MiB of memory
 * @param series of its metrics
 */
record Footprint(long resident, long threads, long descriptors, long series) {
    static final Footprint NONE = new Footprint(0, 0, 0, 0);

    static Footprint of(Child gateway, PushClient client) throws Exception {
        String status = Files.readString(Path.of("/proc/" + gateway.pid() + "/status"));
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + gateway.pid() + "/fd"))) {
            return new Footprint(
                    number(status, "VmRSS") / 1024,
                    number(status, "Threads"),
                    descriptors.count(),
                    client.get(gateway.management("/metrics"))
                            .body()
                            .lines()
                            .filter(line -> !line.startsWith("#"))
                            .count());
        }
    }

    private static long number(String status, String field) {
        return Long.parseLong(status.replaceFirst("(?s).*\n" + field + ":\\s+(\\d+).*", "$1"));
    }

    Footprint max(Footprint other) {
        return new Footprint(
                Math.max(resident, other.resident),
                Math.max(threads, other.threads),
                Math.max(descriptors, other.descriptors),
                Math.max(series, other.series));
    }

    boolean isWithin(Footprint most) {
        return max(most).equals(most);
    }

    @Override
    public String toString() {
        return resident + " MiB, " + threads + " threads, " + descriptors + " descriptors, " + series + " series";
    }
}
