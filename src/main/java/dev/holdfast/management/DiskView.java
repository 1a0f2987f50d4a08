package dev.holdfast.management;

import dev.holdfast.journal.DiskState;
import io.vertx.core.json.JsonObject;

/** The disk as the API shows it. */
final class DiskView {
    private DiskView() {}

    static JsonObject of(DiskState disk) {
        return new JsonObject()
                .put("free", disk.free())
                .put("size", disk.size())
                .put("reserve", disk.reserve())
                .put("setAside", disk.setAside())
                .put("step", disk.step());
    }
}
