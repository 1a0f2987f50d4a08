package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** An integrator's own consumer: compiled against the packaged jar and nothing else, and packed. */
public final class PluginJar {
    private static final class Source extends SimpleJavaFileObject {
        private final String code;

        Source(String className, String code) {
            super(URI.create("source:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
            this.code = code;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return code;
        }
    }

    private PluginJar() {}

    /** Puts {@code file} into the directory {@code plugins/}, with one class in it. */
    static void install(Installation installation, String file, String className, String code) throws IOException {
        Path classes = Files.createTempDirectory(installation.path("."), "classes");
        compile(className, code, classes);
        pack(classes, installation.path("plugins").resolve(file));
    }

    /** Compiles one class against the packaged jar. */
    static void compile(String className, String code, Path classes) {
        compile(className, code, Installation.jar().toString(), classes);
    }

    public static void compile(String className, String code, String classPath, Path classes) {
        JavaFileObject source = new Source(className, code);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<String> options = List.of("-proc:none", "-cp", classPath, "-d", classes.toString());
        boolean compiled = compiler.getTask(messages, null, null, options, null, List.of(source))
                .call();
        assertThat(compiled).as(messages.toString()).isTrue();
    }

    public static void pack(Path classes, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream packed = new JarOutputStream(file);
                Stream<Path> tree = Files.walk(classes)) {
            for (Path entry : tree.filter(Files::isRegularFile).toList()) {
                packed.putNextEntry(new JarEntry(classes.relativize(entry).toString()));
                Files.copy(entry, packed);
                packed.closeEntry();
            }
        }
    }
}
