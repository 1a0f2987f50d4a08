package dev.holdfast.config;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import javax.net.ssl.X509KeyManager;

/**
 * A certificate's chain and the key of its first certificate, with which a server, or a client that is asked,
 * identifies itself. Two are equal if their files had the same content. Its {@link #toString} says whose certificate it
 * is, and nothing of the key.
 *
 * @param chain PEM
 * @param key PEM, unencrypted
 */
public record TlsIdentity(String chain, Secret key) {
    private static final String EXPECTED = "the private key that the certificate was made for";
    /** Signature algorithms by the types of keys that Vert.x can read. */
    private static final Map<String, String> SIGNATURES = Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA");

    /**
     * Reads both files, each of which is known to be one of its kind.
     *
     * @throws InvalidValue when the key belongs to another certificate (as while one file is replaced and the other not
     *     yet), or has a type that no connection can be made with
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
        } catch (GeneralSecurityException e) {
            throw new InvalidValue(
                    key + ", which is of another kind than " + certificate + ", or of a form that no port can use",
                    EXPECTED);
        }
    }

    private boolean belongsTogether(PublicKey publicKey, String algorithm) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(privateKey(publicKey.getAlgorithm()));
        byte[] signed = signature.sign();
        signature.initVerify(publicKey);
        return signature.verify(signed);
    }

    /**
     * Reads the key with Vert.x's own reader, as it will for connections. That needs no running Vert.x, since there are
     * no files to resolve.
     */
    private PrivateKey privateKey(String type) throws GeneralSecurityException {
        try {
            X509KeyManager keys =
                    (X509KeyManager) pem().getKeyManagerFactory(null).getKeyManagers()[0];
            return keys.getPrivateKey(keys.getServerAliases(type, null)[0]);
        } catch (Exception e) {
            // Vert.x declares no other.
            throw new GeneralSecurityException(e);
        }
    }

    /** The options for opening a port or a client. */
    public PemKeyCertOptions pem() {
        return new PemKeyCertOptions().setCertValue(Buffer.buffer(chain)).setKeyValue(Buffer.buffer(key.reveal()));
    }

    /** When the certificate ends, after which clients refuse it; far away if it doesn't say. */
    public Instant goodUntil() {
        try {
            return first().getNotAfter().toInstant();
        } catch (GeneralSecurityException e) {
            return Instant.MAX;
        }
    }

    /** When the certificate begins, before which clients refuse it; long ago if it doesn't say. */
    public Instant goodFrom() {
        try {
            return first().getNotBefore().toInstant();
        } catch (GeneralSecurityException e) {
            return Instant.MIN;
        }
    }

    /** The whole time for which it is good; for ever if it doesn't say. */
    public Duration lifetime() {
        return Duration.between(goodFrom(), goodUntil());
    }

    private X509Certificate first() throws GeneralSecurityException {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(chain.substring(chain.indexOf("-----BEGIN CERTIFICATE"))
                        .getBytes(StandardCharsets.ISO_8859_1)));
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
