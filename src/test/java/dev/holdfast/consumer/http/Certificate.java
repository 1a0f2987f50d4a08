package dev.holdfast.consumer.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A certificate for localhost that nobody knows, and its key, as PEM files. */
public record Certificate(Path chain, Path key) {
    private static final String PASSWORD = "changeit";

    public static Certificate make(Path directory) throws Exception {
        return make(directory, "EC");
    }

    /** One with a key of this type, as keytool calls it. */
    public static Certificate make(Path directory, String algorithm) throws Exception {
        Path store = directory.resolve("store.p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        List<String> command = List.of((keytool
                        + " -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -genkeypair -alias server -keyalg " + algorithm
                        + " -dname CN=localhost -ext san=dns:localhost" + " -storetype PKCS12 -storepass " + PASSWORD
                        + " -keystore " + store)
                .split(" "));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("keytool.log").toFile())
                .start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return new Certificate(
                pem(
                        directory.resolve("server.crt"),
                        "CERTIFICATE",
                        keys.getCertificate("server").getEncoded()),
                pem(
                        directory.resolve("server.key"),
                        "PRIVATE KEY",
                        keys.getKey("server", PASSWORD.toCharArray()).getEncoded()));
    }

    public static Path pem(Path file, String type, byte[] content) throws Exception {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
    }
}
