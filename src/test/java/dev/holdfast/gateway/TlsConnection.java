package dev.holdfast.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A connection with TLS, whose other end may show whatever certificate it likes. */
public final class TlsConnection implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 30_000;

    private final Socket below;
    private final SSLSocket socket;
    /** Asked for once: where the session has ended there is no more to be had, though there may be more to read. */
    private final InputStream in;

    /** Believes whatever it is shown. */
    private static final class Credulous implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private TlsConnection(Socket below, SSLSocket socket) throws IOException {
        this.below = below;
        this.socket = socket;
        this.in = socket.getInputStream();
    }

    /**
     * A connection whose handshake is over.
     *
     * @param protocols offered by ALPN
     */
    public static TlsConnection to(int port, String... protocols) throws IOException, GeneralSecurityException {
        return to(port, new String[] {"TLSv1.2", "TLSv1.3"}, protocols);
    }

    private static TlsConnection to(int port, String[] versions, String[] protocols)
            throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Credulous()}, null);
        Socket below = new Socket(InetAddress.getLoopbackAddress(), port);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(below, "localhost", port, false);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(protocols);
        parameters.setProtocols(versions);
        socket.setSSLParameters(parameters);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.startHandshake();
        return new TlsConnection(below, socket);
    }

    /** The same with TLS 1.3, in which one end may say that it sends no more and still listen. */
    static TlsConnection thatCanListenOn(int port) throws IOException, GeneralSecurityException {
        return to(port, new String[] {"TLSv1.3"}, new String[0]);
    }

    /** The certificate that the port shows on a new connection. */
    static X509Certificate shownAt(int port) throws IOException, GeneralSecurityException {
        try (TlsConnection connection = to(port)) {
            return connection.shown();
        }
    }

    /** The first one of a PEM file. */
    static X509Certificate in(Path file) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    X509Certificate shown() throws IOException {
        return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }

    /** Asks for another handshake, which there is up to TLS 1.2, and for something else to see whether that was done. */
    public static boolean isShakenAgain(int port, byte[] request) throws IOException, GeneralSecurityException {
        try (TlsConnection connection = to(port, new String[] {"TLSv1.2"}, new String[0])) {
            connection.socket.startHandshake();
            return connection.answer(request).startsWith("HTTP/1.1");
        } catch (SSLException e) {
            return false;
        }
    }

    String protocol() {
        return socket.getApplicationProtocol();
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Says that it sends no more ({@code close_notify}), while the connection below TLS stays open. */
    void endSession() throws IOException {
        socket.shutdownOutput();
    }

    /** Waits for the end of what the other end sends; false when something else comes. */
    boolean isEnded() throws IOException {
        return in.read() < 0;
    }

    /** The first line of the answer, the rest of which is read too. */
    public String answer(byte[] request) throws IOException {
        send(request);
        return answer();
    }

    /** The same of a request that was sent. */
    String answer() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append(new String(in.readNBytes(1), StandardCharsets.ISO_8859_1));
        }
        int length = head.indexOf("ength: ");
        if (length > 0) {
            in.readNBytes(Integer.parseInt(head.substring(length + 7, head.indexOf("\r", length))));
        }
        return head.substring(0, head.indexOf("\r\n"));
    }

    @Override
    public void close() throws IOException {
        socket.close();
        below.close();
    }
}
