package dev.holdfast.cli;

import dev.holdfast.cli.terminal.Column;
import dev.holdfast.cli.terminal.Shown;
import dev.holdfast.cli.terminal.Style;
import dev.holdfast.cli.terminal.TextTable;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code audit}: who changed what on a running gateway. */
@Command(name = "audit", description = "Shows who changed what of a running gateway, the newest first.")
final class AuditCommand implements Callable<Integer> {
    @Mixin
    private GatewayOptions gateway;

    @Mixin
    private Paging paging = new Paging();

    @Override
    public Integer call() throws IOException, InterruptedException {
        TextTable table = new TextTable(
                        Column.of("AT", Shown::time, "at"),
                        Column.of("WHO", Shown::text, "who"),
                        Column.of("FROM", Shown::text, "from"),
                        Column.of("ACTION", Shown::text, "action").styled(Style.ACCENT),
                        Column.of("TARGET", Shown::text, "target"),
                        Column.of("COUNT", Shown::number, "count"),
                        Column.of("REASON", Shown::text, "reason"))
                .dropping("FROM")
                .lastBelow();
        paging.list(gateway, "/audit", "actions", new RequestParameters(), table);
        return ExitStatus.DONE;
    }
}
