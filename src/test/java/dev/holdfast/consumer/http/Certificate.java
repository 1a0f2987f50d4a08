package dev.holdfast.consumer.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
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

    /** The same with its key as {@code openssl ecparam -genkey} writes one: SEC 1 (RFC 5915) with the curve and the public key. */
    public Certificate withOpensslKey(Path file) throws Exception {
        byte[] pkcs8 = Base64.getMimeDecoder().decode(Files.readString(key).replaceAll("-----[^-]*-----", ""));
        ECPrivateKey secret =
                (ECPrivateKey) KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(secret.getParams());
        byte[] curve = parameters.getEncoded();
        int bytes = (secret.getParams().getOrder().bitLength() + 7) / 8;
        byte[] s = secret.getS().toByteArray();
        byte[] padded = new byte[bytes];
        int used = Math.min(bytes, s.length);
        System.arraycopy(s, s.length - used, padded, bytes - used, used);
        byte[] publicKey;
        try (InputStream in = Files.newInputStream(chain)) {
            publicKey = CertificateFactory.getInstance("X.509")
                    .generateCertificate(in)
                    .getPublicKey()
                    .getEncoded();
        }
        // At its end, behind a zero: a bit string of whole bytes.
        byte[] point = Arrays.copyOfRange(publicKey, publicKey.length - 2 * bytes - 2, publicKey.length);
        byte[] der = der(0x30, new byte[] {2, 1, 1}, der(0x04, padded), der(0xa0, curve), der(0xa1, der(0x03, point)));
        String block = Files.readString(pem(file, "EC PRIVATE KEY", der));
        Files.writeString(file, Files.readString(pem(file, "EC PARAMETERS", curve)) + block);
        return new Certificate(chain, file);
    }

    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream element = new ByteArrayOutputStream();
        element.write(tag);
        if (content.size() > 0x7f) {
            element.write(0x81);
        }
        element.write(content.size());
        element.writeBytes(content.toByteArray());
        return element.toByteArray();
    }

    public static Path pem(Path file, String type, byte[] content) throws Exception {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
    }
}
