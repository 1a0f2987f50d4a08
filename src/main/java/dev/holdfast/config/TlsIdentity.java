package dev.holdfast.config;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server, or a client that is asked for it, shows and proves of itself: a certificate's chain and the key that belongs to
 * its first one. Two are equal when the files they were read from were the same. Written out it says whose certificate it is, and
 * nothing of the key.
 *
 * @param chain PEM
 * @param key PEM, unencrypted
 */
public record TlsIdentity(String chain, Secret key) {
    private static final String EXPECTED = "the private key that the certificate was made for";
    /** By the types of keys that Vert.x can read. */
    private static final Map<String, String> SIGNATURES = Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA");

    private static final Pattern KEY_BLOCK =
            Pattern.compile("-----BEGIN ((?:RSA |EC )?)PRIVATE KEY-----([^-]*)-----END \\1PRIVATE KEY-----");
    private static final byte[] VERSION_0 = {2, 1, 0};
    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;

    /**
     * Reads both files, each of which is known to be one of its kind.
     *
     * @throws InvalidValue when the key is another certificate's: while one file was replaced and the other not yet, say; or of a
     *     type that no connection can be made with
     */
    static TlsIdentity read(Path certificate, Path key) throws InvalidValue {
        try {
            TlsIdentity identity = new TlsIdentity(
                    Files.readString(certificate, StandardCharsets.ISO_8859_1),
                    new Secret(Files.readString(key, StandardCharsets.ISO_8859_1)));
            PublicKey publicKey = identity.first().getPublicKey();
            String algorithm = SIGNATURES.get(publicKey.getAlgorithm());
            if (algorithm == null) {
                throw new InvalidValue(
                        certificate + " with a key of type " + publicKey.getAlgorithm(), "one of type RSA or EC");
            }
            if (!identity.belongsTogether(publicKey, algorithm)) {
                throw new InvalidValue(key + ", which is not the key of " + certificate, EXPECTED);
            }
            return identity;
        } catch (IOException e) {
            throw new InvalidValue("a file that can't be read", EXPECTED);
        } catch (GeneralSecurityException | IllegalArgumentException | IllegalStateException e) {
            throw new InvalidValue(key + ", which is of another kind than " + certificate, EXPECTED);
        }
    }

    private boolean belongsTogether(PublicKey publicKey, String algorithm) throws GeneralSecurityException {
        PrivateKey privateKey = KeyFactory.getInstance(publicKey.getAlgorithm())
                .generatePrivate(new PKCS8EncodedKeySpec(pkcs8(publicKey)));
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(privateKey);
        signature.update(VERSION_0);
        byte[] signed = signature.sign();
        signature.initVerify(publicKey);
        signature.update(VERSION_0);
        return signature.verify(signed);
    }

    /** After that clients refuse the certificate; far away where it doesn't say. */
    public Instant goodUntil() {
        try {
            return first().getNotAfter().toInstant();
        } catch (GeneralSecurityException e) {
            return Instant.MAX;
        }
    }

    /** For how long it is good in all; for ever where it doesn't say. */
    public Duration lifetime() {
        try {
            X509Certificate certificate = first();
            return Duration.between(
                    certificate.getNotBefore().toInstant(),
                    certificate.getNotAfter().toInstant());
        } catch (GeneralSecurityException e) {
            return ChronoUnit.FOREVER.getDuration();
        }
    }

    private X509Certificate first() throws GeneralSecurityException {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(chain.substring(chain.indexOf("-----BEGIN CERTIFICATE"))
                        .getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** RFC 5958. Of a key in the older forms (PKCS #1, SEC 1) the public one knows the algorithm, curve included. */
    private byte[] pkcs8(PublicKey publicKey) {
        Matcher block = KEY_BLOCK.matcher(key.reveal());
        if (!block.find()) {
            throw new IllegalArgumentException("found no private key, expected one");
        }
        byte[] der = Base64.getMimeDecoder().decode(block.group(2));
        return block.group(1).isEmpty()
                ? der
                : tagged(SEQUENCE, VERSION_0, algorithm(publicKey.getEncoded()), tagged(OCTET_STRING, der));
    }

    /** The first element within a SubjectPublicKeyInfo (RFC 5280, 4.1.2.7), which is shorter than 128 bytes. */
    private static byte[] algorithm(byte[] publicKeyInfo) {
        int start = publicKeyInfo[1] < 0 ? 2 + (publicKeyInfo[1] & 0x7f) : 2;
        byte[] algorithm = new byte[2 + publicKeyInfo[start + 1]];
        System.arraycopy(publicKeyInfo, start, algorithm, 0, algorithm.length);
        return algorithm;
    }

    /** One element of DER, whose length has as few bytes as it takes. */
    private static byte[] tagged(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream element = new ByteArrayOutputStream();
        element.write(tag);
        int length = content.size();
        if (length > 0xff) {
            element.write(0x82);
            element.write(length >> 8);
        } else if (length > 0x7f) {
            element.write(0x81);
        }
        element.write(length);
        element.writeBytes(content.toByteArray());
        return element.toByteArray();
    }

    @Override
    public String toString() {
        try {
            return first().getSubjectX500Principal().getName() + ", good until " + goodUntil();
        } catch (GeneralSecurityException e) {
            return "a certificate";
        }
    }
}
