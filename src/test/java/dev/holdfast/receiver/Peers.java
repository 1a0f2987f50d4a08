package dev.holdfast.receiver;

import io.vertx.core.Future;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.SocketAddress;
import java.lang.reflect.Proxy;

/** Other ends of connections that know nothing but where they come from. */
final class Peers {
    private Peers() {}

    static HttpConnection connection(String address) {
        return connection(address, () -> {
            throw new UnsupportedOperationException("close");
        });
    }

    /** @param close runs each time it is closed */
    static HttpConnection connection(String address, Runnable close) {
        return (HttpConnection) Proxy.newProxyInstance(
                HttpConnection.class.getClassLoader(),
                new Class<?>[] {HttpConnection.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "remoteAddress" -> SocketAddress.inetSocketAddress(4711, address);
                    case "close" -> {
                        close.run();
                        yield Future.succeededFuture();
                    }
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    static Peer at(String address) {
        return new Peer(connection(address), 0);
    }
}
