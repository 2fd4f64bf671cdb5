import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Verify {
    /** The body as it came, the two headers, the whole whsec_… string, and System.currentTimeMillis() / 1000. */
    static boolean isFromParley(byte[] rawBody, String timestamp, String signature, String secret, long nowSeconds) {
        if (timestamp == null || signature == null || !timestamp.matches("[0-9]{1,12}")) {
            return false;
        }
        if (Math.abs(nowSeconds - Long.parseLong(timestamp)) > 300) {
            return false;
        }
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            mac.update((timestamp + ".").getBytes(StandardCharsets.UTF_8));
            String expected = "v1=" + Base64.getEncoder().encodeToString(mac.doFinal(rawBody));
            return MessageDigest.isEqual(
                expected.getBytes(StandardCharsets.UTF_8), signature.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible); // every Java has HmacSHA256
        }
    }

    // As a program: `java Verify.java CASES` says true or false for each line of a file; see README.md.
    public static void main(String[] arguments) throws java.io.IOException {
        for (String line : java.nio.file.Files.readAllLines(java.nio.file.Path.of(arguments[0]))) {
            String[] fields = line.split("\t", -1);
            byte[][] decoded = new byte[4][];
            for (int i = 0; i < 4; i++) {
                decoded[i] = Base64.getDecoder().decode(fields[i + 1]);
            }
            String timestamp = new String(decoded[1], StandardCharsets.UTF_8);
            String signature = new String(decoded[2], StandardCharsets.UTF_8);
            String secret = new String(decoded[3], StandardCharsets.UTF_8);
            System.out.println(isFromParley(decoded[0], timestamp, signature, secret, Long.parseLong(fields[0])));
        }
    }
    // End of the program.
}
