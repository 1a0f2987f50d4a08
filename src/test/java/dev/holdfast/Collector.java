package dev.holdfast;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A collector of traces by OTLP over HTTP: a real server that reads the protobuf of what it is sent. */
public final class Collector implements AutoCloseable {
    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int FIXED_32 = 5;

    /**
     * As it was exported.
     *
     * @param traceId in hexadecimal, as are the other two
     * @param parentId empty: none
     * @param attributes numbers in decimal
     * @param failed whether its status is an error
     */
    public record Exported(
            String name,
            String traceId,
            String spanId,
            String parentId,
            Map<String, String> attributes,
            boolean failed) {}

    private final HttpServer server;
    private final List<byte[]> bodies = new CopyOnWriteArrayList<>();

    public Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::collect);
        server.start();
    }

    private void collect(HttpExchange exchange) throws IOException {
        bodies.add(exchange.getRequestBody().readAllBytes());
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    /** The variables of one who sends here, soon. */
    public Map<String, String> environment() {
        return Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", url(), "OTEL_BSP_SCHEDULE_DELAY", "20");
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public List<Exported> spans() {
        return bodies.stream()
                .flatMap(body -> parts(body, 1).stream())
                .flatMap(resource -> parts(resource, 2).stream())
                .flatMap(scope -> parts(scope, 2).stream())
                .map(Collector::span)
                .toList();
    }

    /** Those of a name. */
    public List<Exported> spans(String name) {
        return spans().stream().filter(span -> span.name().equals(name)).toList();
    }

    /** All that was sent. */
    public String raw() {
        StringBuilder all = new StringBuilder();
        bodies.forEach(body -> all.append(new String(body, ISO_8859_1)));
        return all.toString();
    }

    private static Exported span(byte[] span) {
        Map<String, String> attributes = new TreeMap<>();
        for (byte[] attribute : parts(span, 9)) {
            byte[] value = part(attribute, 2);
            attributes.put(text(part(attribute, 1)), text(part(value, 1)) + number(part(value, 3)));
        }
        return new Exported(
                text(part(span, 5)),
                hex(part(span, 1)),
                hex(part(span, 2)),
                hex(part(span, 4)),
                attributes,
                number(part(part(span, 15), 3)).equals("2"));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }

    private static String number(byte[] varint) {
        return varint.length == 0 ? "" : Long.toString(varint(ByteBuffer.wrap(varint)));
    }

    private static byte[] part(byte[] message, int field) {
        List<byte[]> parts = parts(message, field);
        return parts.isEmpty() ? new byte[0] : parts.get(0);
    }

    private static List<byte[]> parts(byte[] message, int field) {
        return fields(message).getOrDefault(field, List.of());
    }

    private static Map<Integer, List<byte[]>> fields(byte[] message) {
        Map<Integer, List<byte[]>> fields = new LinkedHashMap<>();
        ByteBuffer in = ByteBuffer.wrap(message);
        while (in.hasRemaining()) {
            int tag = (int) varint(in);
            byte[] value = value(in, tag & 7);
            fields.computeIfAbsent(tag >>> 3, field -> new ArrayList<>()).add(value);
        }
        return fields;
    }

    private static byte[] value(ByteBuffer in, int type) {
        int start = in.position();
        int length =
                switch (type) {
                    case VARINT -> {
                        varint(in);
                        int end = in.position();
                        in.position(start);
                        yield end - start;
                    }
                    case FIXED_64 -> Long.BYTES;
                    case FIXED_32 -> Integer.BYTES;
                    default -> (int) varint(in);
                };
        byte[] value = new byte[length];
        in.get(value);
        return value;
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
