package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * {@code onSuccess}, {@code onFailure} and {@code onComplete} give back the future that they were called on, and listeners of
 * a future have no order: what is chained behind one of them may come before it. So nobody uses what they give back. What
 * others wait for stands in the chain, as {@code andThen}, {@code map} or {@code compose}.
 */
class FutureListenersTest {
    @Test
    void nothingIsChainedBehindAListener() throws IOException, URISyntaxException {
        List<String> uses = new ArrayList<>();
        for (Class<?> root : List.of(Gateway.class, FutureListenersTest.class)) {
            List<Path> files = classesBeside(root);
            assertThat(files).as("classes beside " + root).hasSizeGreaterThan(100);
            for (Path file : files) {
                uses.addAll(uses(Files.readAllBytes(file)));
            }
        }

        uses.removeIf(use -> use.startsWith(Chained.class.getName()));
        assertThat(uses).as("use of what a listener's registration gives back").isEmpty();
    }

    /** Of the same source root, whatever their package. */
    private static List<Path> classesBeside(Class<?> type) throws IOException, URISyntaxException {
        Path root =
                Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> found = Files.walk(root)) {
            return found.filter(file -> file.toString().endsWith(".class")).toList();
        }
    }

    @Test
    void aChainBehindAListenerIsFoundHoweverItIsWritten() throws IOException {
        assertThat(uses(bytesOf(Chained.class)))
                .extracting(use -> use.replaceAll(".*Chained\\.(lambda\\$)?(\\w+).*", "$2"))
                .containsExactlyInAnyOrder(
                        "mappedBehindSuccess",
                        "returned",
                        "assigned",
                        "argument",
                        "twoListeners",
                        "fromALambda",
                        "referred");
    }

    @Test
    void aListenerThatNothingWaitsForIsNone() throws IOException {
        assertThat(uses(bytesOf(Unchained.class))).isEmpty();
    }

    private static byte[] bytesOf(Class<?> type) throws IOException {
        String file = type.getName().substring(type.getPackageName().length() + 1) + ".class";
        try (InputStream in = type.getResourceAsStream(file)) {
            return in.readAllBytes();
        }
    }

    private static List<String> uses(byte[] bytes) {
        Uses uses = new Uses();
        new ClassReader(bytes).accept(uses, ClassReader.SKIP_FRAMES);
        return uses.found;
    }

    /** Looks through a class: the instruction behind the registration of a listener has to be the one that drops its result. */
    private static final class Uses extends ClassVisitor {
        private static final Set<String> REGISTRATIONS = Set.of("onSuccess", "onFailure", "onComplete");

        private final List<String> found = new ArrayList<>();
        private String type = "";

        Uses() {
            super(Opcodes.ASM9);
        }

        /** Of {@link Future} and what extends it; what gives back nothing is no concern. */
        private static boolean isRegistration(String owner, String name, String descriptor) {
            return owner.startsWith("io/vertx/")
                    && REGISTRATIONS.contains(name)
                    && Type.getReturnType(descriptor).getSort() == Type.OBJECT;
        }

        @Override
        public void visit(
                int version,
                int access,
                String name,
                @Nullable String signature,
                @Nullable String parent,
                String @Nullable [] interfaces) {
            type = name.replace('/', '.');
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String method,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            return new Instructions(type + "." + method);
        }

        private final class Instructions extends MethodVisitor {
            private final String method;
            private int line;
            /** The listener that was registered by the last instruction; null: none was. */
            private @Nullable String registered;

            Instructions(String method) {
                super(Opcodes.ASM9);
                this.method = method;
            }

            private void next(boolean drops) {
                if (registered != null && !drops) {
                    found.add(method + ":" + line + " uses what " + registered + " gives back");
                }
                registered = null;
            }

            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
                next(false);
                registered = isRegistration(owner, name, descriptor) ? name : null;
            }

            @Override
            public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
                next(false);
                // Of a method reference: what is called, and the form it is called in.
                if (arguments.length == 3
                        && arguments[1] instanceof Handle called
                        && arguments[2] instanceof Type form
                        && isRegistration(called.getOwner(), called.getName(), called.getDesc())
                        && form.getReturnType().getSort() != Type.VOID) {
                    found.add(method + ":" + line + " uses what " + called.getName() + " gives back");
                }
            }

            @Override
            public void visitLineNumber(int number, Label start) {
                line = number;
            }

            @Override
            public void visitInsn(int opcode) {
                next(opcode == Opcodes.POP);
            }

            @Override
            public void visitVarInsn(int opcode, int variable) {
                next(false);
            }

            @Override
            public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
                next(false);
            }

            @Override
            public void visitTypeInsn(int opcode, String name) {
                next(false);
            }

            @Override
            public void visitJumpInsn(int opcode, Label label) {
                next(false);
            }

            @Override
            public void visitLdcInsn(Object value) {
                next(false);
            }

            @Override
            public void visitIntInsn(int opcode, int operand) {
                next(false);
            }
        }
    }

    /** What is to be found: each of its methods. */
    @SuppressWarnings("unused")
    private static final class Chained {
        private Future<Integer> kept = Future.succeededFuture();

        Future<Void> mappedBehindSuccess(Future<Integer> future) {
            return future.onSuccess(value -> {}).mapEmpty();
        }

        Future<Integer> returned(Future<Integer> future) {
            return future.onComplete(done -> {});
        }

        void assigned(Future<Integer> future) {
            kept = future.onFailure(failure -> {});
        }

        void argument(Future<Integer> future) {
            List.of(future.onComplete(value -> {}, failure -> {}));
        }

        void twoListeners(Future<Integer> future) {
            future.onSuccess(value -> {}).onFailure(failure -> {});
        }

        Future<Integer> fromALambda(Future<Integer> future) {
            return future.compose(value -> Future.succeededFuture(value).onSuccess(same -> {}));
        }

        Function<Handler<Integer>, Future<Integer>> referred(Future<Integer> future) {
            return future::onSuccess;
        }
    }

    /** What is not to be found. */
    @SuppressWarnings("unused")
    private static final class Unchained {
        Future<Integer> inTheChain(Future<Integer> future) {
            return future.andThen((value, failure) -> {}).map(value -> value + 1);
        }

        void onItsOwn(Future<Integer> future) {
            future.onSuccess(value -> {});
            future.map(value -> value + 1).onComplete(value -> {}, failure -> {});
            Arrays.asList(future).forEach(each -> each.onFailure(failure -> {}));
        }

        void referred(Future<Integer> future, List<Handler<Integer>> handlers) {
            handlers.forEach(future::onSuccess);
        }
    }
}
