package dev.holdfast.consumer.http;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** A certificate for localhost that nobody knows, and its key, as PEM files. */
public record Certificate(Path chain, Path key) {
    /** So that none of two, made at one time, is taken for the other. */
    private static final AtomicLong SERIAL = new AtomicLong(System.currentTimeMillis());

    /** Object identifiers of the names of signatures, as DER has them. */
    private static final Map<String, String> SIGNATURES = Map.of(
            "SHA256withRSA",
            "06092a864886f70d01010b0500",
            "SHA256withECDSA",
            "06082a8648ce3d040302",
            "Ed25519",
            "06032b6570");

    /** One pair for all, when it is asked for: to find its primes takes a second. */
    private static final class Rsa {
        static final KeyPair KEYS = generate();

        private static KeyPair generate() {
            try {
                return KeyPairGenerator.getInstance("RSA").generateKeyPair();
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static Certificate make(Path directory) throws Exception {
        return make(directory, "EC");
    }

    /** One with a key of this type: RSA, EC, the name of a curve, or Ed25519. */
    public static Certificate make(Path directory, String type) throws Exception {
        return make(directory, type, 1, 90);
    }

    /** One that has been good for some days already, and will be for some more. */
    public static Certificate make(Path directory, String type, int daysBefore, int daysLeft) throws Exception {
        KeyPair keys = keys(type);
        return new Certificate(
                pem(directory.resolve("server.crt"), "CERTIFICATE", signed(keys, daysBefore, daysLeft)),
                pem(
                        directory.resolve("server.key"),
                        "PRIVATE KEY",
                        keys.getPrivate().getEncoded()));
    }

    private static KeyPair keys(String type) throws GeneralSecurityException {
        if (type.equals("RSA")) {
            return Rsa.KEYS;
        }
        if (type.equals("Ed25519")) {
            return KeyPairGenerator.getInstance(type).generateKeyPair();
        }
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(type.equals("EC") ? "secp256r1" : type));
        return generator.generateKeyPair();
    }

    /** X.509 (RFC 5280), written here as keytool is a process, and the slowest part of most tests that need it. */
    private static byte[] signed(KeyPair keys, int daysBefore, int daysLeft) throws GeneralSecurityException {
        String algorithm =
                switch (keys.getPrivate().getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> "Ed25519";
                };
        byte[] signature = der(0x30, hex(Objects.requireNonNull(SIGNATURES.get(algorithm))));
        byte[] name = der(0x30, der(0x31, der(0x30, hex("0603550403"), der(0x0c, ascii("localhost")))));
        ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
        byte[] validity = der(0x30, time(now.minusDays(daysBefore)), time(now.plusDays(daysLeft)));
        // Version 3, and localhost as the subject's other name.
        byte[] version = der(0xa0, new byte[] {2, 1, 2});
        byte[] names = der(0x04, der(0x30, der(0x82, ascii("localhost"))));
        byte[] extensions = der(0xa3, der(0x30, der(0x30, hex("0603551d11"), names)));
        byte[] serial = der(0x02, BigInteger.valueOf(SERIAL.incrementAndGet()).toByteArray());
        byte[] publicKey = keys.getPublic().getEncoded();
        byte[] content = der(0x30, version, serial, signature, name, validity, name, publicKey, extensions);
        Signature signer = Signature.getInstance(algorithm);
        signer.initSign(keys.getPrivate());
        signer.update(content);
        return der(0x30, content, signature, der(0x03, new byte[1], signer.sign()));
    }

    private static byte[] time(ZonedDateTime time) {
        return der(0x18, ascii(DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").format(time)));
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
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
        if (content.size() > 0xff) {
            element.write(0x82);
            element.write(content.size() >> 8);
        } else if (content.size() > 0x7f) {
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
