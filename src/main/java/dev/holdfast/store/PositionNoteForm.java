package dev.holdfast.store;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The byte form of what is noted in the journal of all consumers' positions, a JSON object in ASCII; each lane's positions in
 * ascending order, what has happened to the pushes left out.
 *
 * <pre>
 * {"version":1,"consumers":[{"name":"mine","position":41,"blocked":[{"lane":"default\nent\nf:client","seqs":[7,9]}]}]}
 * </pre>
 *
 * ASCII, so that half a character in a lane, which comes from outside, is written as it is.
 */
public final class PositionNoteForm {
    private static final Logger LOG = LoggerFactory.getLogger(PositionNoteForm.class);
    private static final int VERSION = 1;
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    private record Note(int version, List<Noted> consumers) {}

    private record Noted(String name, long position, List<Lane> blocked) {
        static Noted of(Checkpoint checkpoint) {
            Map<String, List<Long>> lanes = checkpoint.blocked().stream()
                    .map(BlockedPush::key)
                    .sorted(Comparator.comparingLong(BlockedPush.Key::seq))
                    .collect(groupingBy(BlockedPush.Key::lane, TreeMap::new, mapping(BlockedPush.Key::seq, toList())));
            return new Noted(
                    checkpoint.consumer(),
                    checkpoint.position(),
                    lanes.entrySet().stream()
                            .map(lane -> new Lane(lane.getKey(), lane.getValue()))
                            .toList());
        }

        Checkpoint checkpoint() {
            List<BlockedPush> pushes = new ArrayList<>();
            for (Lane lane : blocked) {
                for (long seq : lane.seqs()) {
                    require(seq > 0, "seq", seq, "1 or more");
                    pushes.add(new BlockedPush(new BlockedPush.Key(lane.lane(), seq), null));
                }
            }
            require(!name.isEmpty(), "name", name, "one");
            require(position >= 0, "position", position, "0 or more");
            return new Checkpoint(name, position, pushes, List.of());
        }
    }

    private record Lane(String lane, List<Long> seqs) {}

    private PositionNoteForm() {}

    /**
     * The bytes of a note.
     *
     * @param noted one for each consumer; what is released doesn't count
     */
    public static byte[] encode(List<Checkpoint> noted) {
        try {
            return JSON.writeValueAsBytes(
                    new Note(VERSION, noted.stream().map(Noted::of).toList()));
        } catch (IOException e) {
            throw new UncheckedIOException("can't write the positions", e);
        }
    }

    /** Empty when it is not what was written: a note that can't be read is as good as none. */
    public static List<Checkpoint> decode(byte[] note) {
        try {
            Note read = JSON.readValue(note, Note.class);
            require(read.version() == VERSION, "version", read.version(), VERSION);
            return read.consumers().stream().map(Noted::checkpoint).toList();
        } catch (IOException | RuntimeException e) {
            // Without the place, of which Jackson quotes a part: lanes are made of what pushes say.
            String reason = e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
            LOG.warn("the positions that are noted in the journal can't be read: {}", reason);
            return List.of();
        }
    }

    private static void require(boolean holds, String what, Object found, Object expected) {
        if (!holds) {
            throw new IllegalArgumentException(what + ": found " + found + ", expected " + expected);
        }
    }
}
