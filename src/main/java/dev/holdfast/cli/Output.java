package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.logging.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** The option that says how a verb writes what it has found: in words for people, or as JSON for programs. */
final class Output {
    @Option(names = "--output", paramLabel = "FORM", description = "How to write it: text or json. Default: text")
    private Form form = Form.text;

    /** The forms to write it in. */
    enum Form {
        text,
        json
    }

    /** Writes what was found in words. */
    interface Words {
        void print(JsonNode found, PrintWriter out) throws IOException;
    }

    boolean isJson() {
        return form == Form.json;
    }

    void show(JsonNode found, PrintWriter out, Words words) throws IOException {
        if (isJson()) {
            out.println(Printable.json(found.toString()));
        } else {
            words.print(found, out);
        }
    }
}
