package dev.holdfast.config;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks the files and directories that a configuration names, before any part of the gateway needs them. */
final class NamedFiles {
    private static final String CERTIFICATES = "a PEM file with certificates";
    private static final String KEY = "a PEM file with an unencrypted private key";
    private static final Pattern CERTIFICATE_BLOCK =
            Pattern.compile("-----BEGIN CERTIFICATE-----([^-]*)(-----END CERTIFICATE-----)?");
    /** PKCS #8 (RFC 5958), PKCS #1 (RFC 8017) and SEC 1 (RFC 5915). */
    private static final Pattern KEY_BLOCK =
            Pattern.compile("-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----([^-]*)-----END \\1-----");
    /** The first byte of every key in DER: a sequence. */
    private static final int SEQUENCE = 0x30;

    private NamedFiles() {}

    /** Reads a file of one kind. */
    interface Kind {
        /** The file's text. */
        String read(Path file) throws InvalidValue;
    }

    static String certificates(Path file) throws InvalidValue {
        String text = text(file, CERTIFICATES);
        try {
            if (certificatesIn(text).isEmpty()) {
                throw new InvalidValue(file + ", which has no certificate in it", CERTIFICATES);
            }
        } catch (CertificateException | IllegalArgumentException e) {
            throw new InvalidValue(file + ", with a certificate that can't be read", CERTIFICATES);
        }
        return text;
    }

    static List<X509Certificate> certificatesIn(String text) throws CertificateException {
        List<X509Certificate> found = new ArrayList<>();
        CertificateFactory certificates = CertificateFactory.getInstance("X.509");
        Matcher block = CERTIFICATE_BLOCK.matcher(text);
        while (block.find()) {
            if (block.group(2) == null) {
                throw new CertificateException("a certificate has no end");
            }
            byte[] der = Base64.getMimeDecoder().decode(block.group(1));
            found.add((X509Certificate) certificates.generateCertificate(new ByteArrayInputStream(der)));
        }
        return found;
    }

    /** A file with a private key, none of which is shown. */
    static String privateKey(Path file) throws InvalidValue {
        String text = text(file, KEY);
        Matcher block = KEY_BLOCK.matcher(text);
        if (!block.find()) {
            String what = text.contains("ENCRYPTED") ? "an encrypted key" : "no such key";
            throw new InvalidValue(file + ", which has " + what + " in it", KEY);
        }
        try {
            byte[] der = Base64.getMimeDecoder().decode(block.group(2));
            if (der.length > 1 && der[0] == SEQUENCE) {
                return text;
            }
        } catch (IllegalArgumentException e) {
            // It is no Base64.
        }
        throw new InvalidValue(file + ", with a private key that can't be read", KEY);
    }

    /** What prevents a directory from being made, or from being read if it exists; null if nothing does. */
    static @Nullable InvalidValue directory(Path directory) {
        Path there = directory.toAbsolutePath().normalize();
        while (there != null && !Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
            there = there.getParent();
        }
        if (there == null || (Files.isDirectory(there) && Files.isReadable(there) && Files.isExecutable(there))) {
            return null;
        }
        String what = there.equals(directory.toAbsolutePath().normalize()) ? "which" : "where " + there;
        String notDirectory = Files.exists(there) ? " is a file" : " is a link to nothing";
        return new InvalidValue(
                directory + ", " + what + (Files.isDirectory(there) ? " can't be read" : notDirectory), "a directory");
    }

    /** Reads the file byte by byte, so that content that is no text is no error of its own. It is read again later: a pipe can't be. */
    private static String text(Path file, String expected) throws InvalidValue {
        try {
            if (Files.readAttributes(file, BasicFileAttributes.class).isOther()) {
                throw new InvalidValue(file + ", which is a pipe or a device", expected);
            }
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw new InvalidValue(file + ", which does not exist", expected);
        } catch (IOException e) {
            throw new InvalidValue(
                    file + ", which " + (Files.isDirectory(file) ? "is a directory" : "can't be read"), expected);
        }
    }
}
