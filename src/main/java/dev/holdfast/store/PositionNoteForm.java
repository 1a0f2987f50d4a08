package dev.holdfast.store;

import static java.util.Comparator.comparingLong;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toMap;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The byte form of what is noted in the journal of all consumers' positions, a JSON object in ASCII; each lane's positions in
 * ascending order, what has happened to the pushes left out. Only who is paused has {@code paused}, milliseconds since the epoch.
 * What a later version adds is passed over.
 *
 * <pre>
 * {"version":1,"consumers":[{"name":"mine","position":41,"blocked":[{"lane":"default\nent\nf:client","seqs":[7,9]}],"paused":1700000000000}]}
 * </pre>
 *
 * ASCII, so that half a character in a lane, which comes from outside, is written as it is.
 */
public final class PositionNoteForm {
    private static final Logger LOG = LoggerFactory.getLogger(PositionNoteForm.class);
    private static final int VERSION = 1;
    private static final JsonFactory JSON =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private record Note(int version, List<Noted> consumers) {
        PositionNote note() {
            return new PositionNote(
                    consumers.stream().map(Noted::checkpoint).toList(),
                    consumers.stream()
                            .filter(one -> one.paused() != null)
                            .collect(toMap(Noted::name, one -> requireNonNull(one.paused()))));
        }
    }

    private record Noted(
            String name,
            Long position,
            List<Lane> blocked,
            @Nullable Long paused) {
        Checkpoint checkpoint() {
            List<BlockedPush> pushes = new ArrayList<>();
            for (Lane lane : blocked) {
                for (long seq : lane.seqs()) {
                    require(seq > 0, "seq", seq, "1 or more");
                    pushes.add(new BlockedPush(new BlockedPush.Key(requireNonNull(lane.lane()), seq), null));
                }
            }
            require(!name.isEmpty(), "name", name, "one");
            require(position >= 0, "position", position, "0 or more");
            return new Checkpoint(name, position, pushes, List.of());
        }
    }

    private record Lane(String lane, List<Long> seqs) {}

    /** Made where it is needed first. What is missing is null, and found when it is looked at. */
    private static final class Databinding {
        static final JsonMapper JSON = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
    }

    private PositionNoteForm() {}

    /** The bytes of a note. */
    public static byte[] encode(PositionNote note) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeNumberField("version", VERSION);
            json.writeArrayFieldStart("consumers");
            for (Checkpoint place : note.places()) {
                write(json, place, note.paused().get(place.consumer()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can't write the positions", e);
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator json, Checkpoint place, @Nullable Long paused) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", place.consumer());
        json.writeNumberField("position", place.position());
        json.writeArrayFieldStart("blocked");
        for (Map.Entry<String, List<Long>> lane : lanes(place).entrySet()) {
            json.writeStartObject();
            json.writeStringField("lane", lane.getKey());
            json.writeArrayFieldStart("seqs");
            for (long seq : lane.getValue()) {
                json.writeNumber(seq);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
        if (paused != null) {
            json.writeNumberField("paused", paused);
        }
        json.writeEndObject();
    }

    private static Map<String, List<Long>> lanes(Checkpoint checkpoint) {
        return checkpoint.blocked().stream()
                .map(BlockedPush::key)
                .sorted(comparingLong(BlockedPush.Key::seq))
                .collect(groupingBy(BlockedPush.Key::lane, TreeMap::new, mapping(BlockedPush.Key::seq, toList())));
    }

    /**
     * The consumers whose positions a note holds; those before the damage when it can't be read. That is all that a start
     * needs to know of it as a rule, and databinding takes a tenth of a second to begin with.
     */
    public static Set<String> consumers(byte[] note) {
        Set<String> names = new HashSet<>();
        try (JsonParser json = JSON.createParser(note)) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token == JsonToken.VALUE_STRING && "name".equals(json.currentName())) {
                    names.add(json.getText());
                }
            }
        } catch (IOException e) {
            LOG.warn("the positions that are noted in the journal can't be read: {}", reason(e));
        }
        return names;
    }

    /** Empty when it is not what was written: a note that can't be read is as good as none. */
    public static PositionNote decode(byte[] note) {
        try {
            Note read = Databinding.JSON.readValue(note, Note.class);
            require(read.version() == VERSION, "version", read.version(), VERSION);
            return read.note();
        } catch (IOException | RuntimeException e) {
            LOG.warn("the positions that are noted in the journal can't be read: {}", reason(e));
            return PositionNote.NONE;
        }
    }

    /** Without the place, of which Jackson quotes a part: lanes are made of what pushes say. */
    private static @Nullable String reason(Exception e) {
        return e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
    }

    private static void require(boolean holds, String what, Object found, Object expected) {
        if (!holds) {
            throw new IllegalArgumentException(what + ": found " + found + ", expected " + expected);
        }
    }
}
