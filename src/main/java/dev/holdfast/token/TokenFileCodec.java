package dev.holdfast.token;

import dev.holdfast.config.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The form of a file of the token store: one line of ASCII fields, a blank between them. What is torn or changed is told
 * from what is whole.
 *
 * <pre>
 * holdfast-token 1 plain   SHA-256(content) content
 * holdfast-token 1 aes-gcm salt nonce       AES-256-GCM(content), authenticated with the fields before it
 * </pre>
 *
 * <p>The digest is hexadecimal, everything after it Base64. The key is PBKDF2-HMAC-SHA256 of {@code token.key}, with
 * 210,000 rounds. Each writing has a salt and a nonce of its own. Any thread but an event loop: making a key takes a tenth of
 * a second.
 */
final class TokenFileCodec {
    private static final String ANY_VERSION = "holdfast-token ";
    private static final String PLAIN = "holdfast-token 1 plain";
    private static final String ENCRYPTED = "holdfast-token 1 aes-gcm";
    private static final int PLAIN_FIELDS = 5;
    private static final int ENCRYPTED_FIELDS = 6;
    private static final int SALT_BYTES = 16;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int KEY_BITS = 256;
    static final int ROUNDS = 210_000;

    private final @Nullable Secret key;
    private final int rounds;
    private final SecureRandom random = new SecureRandom();

    /**
     * @param key null: what is written is not encrypted
     * @param rounds of PBKDF2; not in the file
     */
    TokenFileCodec(@Nullable Secret key, int rounds) {
        this.key = key;
        this.rounds = rounds;
    }

    boolean encrypts() {
        return key != null;
    }

    /** Whether a file has the encrypted form. */
    static boolean isEncrypted(byte[] file) {
        return text(file).startsWith(ENCRYPTED);
    }

    /** Whether another key or another version may open a file. */
    static boolean mayOpenOtherwise(byte[] file) {
        String text = text(file);
        return text.startsWith(ANY_VERSION) && !text.startsWith(PLAIN);
    }

    byte[] close(byte[] content) {
        String text = key == null ? plain(content) : encrypted(key, content);
        return (text + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** @throws UnreadableTokenException when it is not whole, or not sealed with this key */
    byte[] open(byte[] file) throws UnreadableTokenException {
        String text = text(file).strip();
        String[] fields = text.split(" ", -1);
        try {
            if (text.startsWith(PLAIN + " ") && fields.length == PLAIN_FIELDS) {
                return openPlain(fields[3], fields[4]);
            }
            if (text.startsWith(ENCRYPTED + " ") && fields.length == ENCRYPTED_FIELDS) {
                return decrypted(text.substring(0, text.lastIndexOf(' ')), fields);
            }
        } catch (IllegalArgumentException e) {
            throw new UnreadableTokenException("found a damaged file");
        }
        throw new UnreadableTokenException(
                "found " + file.length + " bytes of another form, expected \"" + PLAIN + "\" or \"" + ENCRYPTED + "\"");
    }

    private static String text(byte[] file) {
        return new String(file, StandardCharsets.ISO_8859_1);
    }

    private static String plain(byte[] content) {
        return String.join(
                " ", PLAIN, Fingerprint.of(content), Base64.getEncoder().encodeToString(content));
    }

    private static byte[] openPlain(String digest, String base64) throws UnreadableTokenException {
        byte[] content = Base64.getDecoder().decode(base64);
        if (!Fingerprint.of(content).equals(digest)) {
            throw new UnreadableTokenException("found a damaged file");
        }
        return content;
    }

    private String encrypted(Secret secret, byte[] content) {
        Base64.Encoder base64 = Base64.getEncoder();
        byte[] salt = random(SALT_BYTES);
        byte[] nonce = random(NONCE_BYTES);
        String head = String.join(" ", ENCRYPTED, base64.encodeToString(salt), base64.encodeToString(nonce));
        try {
            byte[] sealed =
                    cipher(Cipher.ENCRYPT_MODE, secret, salt, nonce, head).doFinal(content);
            return head + " " + base64.encodeToString(sealed);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no AES-GCM or PBKDF2, which every Java must have", e);
        }
    }

    private byte[] decrypted(String head, String[] fields) throws UnreadableTokenException {
        if (key == null) {
            throw new UnreadableTokenException("found an encrypted file and no token.key");
        }
        Base64.Decoder base64 = Base64.getDecoder();
        byte[] salt = base64.decode(fields[3]);
        byte[] nonce = base64.decode(fields[4]);
        byte[] sealed = base64.decode(fields[5]);
        try {
            return cipher(Cipher.DECRYPT_MODE, key, salt, nonce, head).doFinal(sealed);
        } catch (GeneralSecurityException | ProviderException e) {
            // Java 17 fails with the latter where there is less than a tag.
            throw new UnreadableTokenException("found a file that is damaged or was encrypted with another token.key");
        }
    }

    private Cipher cipher(int mode, Secret secret, byte[] salt, byte[] nonce, String head)
            throws GeneralSecurityException {
        byte[] derived = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                .generateSecret(new PBEKeySpec(secret.reveal().toCharArray(), salt, rounds, KEY_BITS))
                .getEncoded();
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(derived, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(head.getBytes(StandardCharsets.US_ASCII));
        return cipher;
    }

    private byte[] random(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
