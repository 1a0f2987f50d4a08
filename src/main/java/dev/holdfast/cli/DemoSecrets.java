package dev.holdfast.cli;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The demo's secrets, made for one run.
 *
 * @param partnersOld what the gateway has for its second endpoint
 * @param partnersNew what the platform has
 */
record DemoSecrets(String main, String partnersOld, String partnersNew, String app) {
    private static final int BYTES = 32;

    static DemoSecrets make() {
        return new DemoSecrets(one(), one(), one(), one());
    }

    private static String one() {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
