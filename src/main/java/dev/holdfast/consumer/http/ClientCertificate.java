package dev.holdfast.consumer.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.holdfast.config.ConsumerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an {@code http} consumer shows of itself to a server that asks for a certificate.
 *
 * @param certificate PEM file with the certificate, and behind it those that lead to an authority
 * @param key PEM file with its private key, which has no password
 */
record ClientCertificate(Path certificate, Path key) {
    private static final List<String> KEYS = List.of("certificate", "key");
    private static final Pattern ANY_KEY = Pattern.compile("-----BEGIN (RSA |EC )?PRIVATE KEY-----");
    /** PKCS#8, which says of itself what it is; the older forms are left to Vert.x. */
    private static final Pattern PKCS8 =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private static final Map<String, String> SIGNATURES = Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA");

    /**
     * Empty when there is none. Vert.x looks when it connects, and then every attempt would fail for ever: so this looks
     * into the files before.
     *
     * @throws IllegalArgumentException on a mistake
     */
    static Optional<ClientCertificate> read(ConsumerOptions options, TargetUrl target) {
        return options.section("client-certificate", KEYS).map(section -> {
            if (!target.tls()) {
                throw options.mistake("client-certificate", "one for a url without TLS", "a url with https");
            }
            return read(section);
        });
    }

    private static ClientCertificate read(ConsumerOptions section) {
        Path certificate = section.path("certificate");
        Path key = section.path("key");
        PublicKey publicKey = publicKey(certificate);
        if (publicKey == null) {
            throw section.mistake(
                    "certificate", "no certificate in " + certificate, "a readable PEM file with at least one");
        }
        String pem = text(key);
        if (!ANY_KEY.matcher(pem).find()) {
            throw section.mistake(
                    "key", "no private key in " + key, "a readable PEM file with one that has no password");
        }
        Matcher content = PKCS8.matcher(pem);
        if (content.find() && !belongTogether(publicKey, content.group(1))) {
            throw section.mistake(
                    "key",
                    "another key in " + key + " than that of " + certificate,
                    "the certificate's own, of type RSA or EC");
        }
        return new ClientCertificate(certificate, key);
    }

    private static @Nullable PublicKey publicKey(Path certificate) {
        try (InputStream pem = Files.newInputStream(certificate)) {
            return CertificateFactory.getInstance("X.509").generateCertificates(pem).stream()
                    .findFirst()
                    .map(Certificate::getPublicKey)
                    .orElse(null);
        } catch (IOException | CertificateException e) {
            return null;
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    private static boolean belongTogether(PublicKey publicKey, String base64) {
        byte[] something = {1, 2, 3};
        try {
            PrivateKey privateKey = KeyFactory.getInstance(publicKey.getAlgorithm())
                    .generatePrivate(
                            new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(base64)));
            Signature signature =
                    Signature.getInstance(SIGNATURES.getOrDefault(publicKey.getAlgorithm(), "no such algorithm"));
            signature.initSign(privateKey);
            signature.update(something);
            byte[] signed = signature.sign();
            signature.initVerify(publicKey);
            signature.update(something);
            return signature.verify(signed);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return false;
        }
    }

    PemKeyCertOptions pem() {
        return new PemKeyCertOptions().addCertPath(certificate.toString()).addKeyPath(key.toString());
    }
}
