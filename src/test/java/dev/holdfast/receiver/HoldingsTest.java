package dev.holdfast.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who may have how much of what is set apart. */
final class HoldingsTest {
    private final Holdings holdings = new Holdings(1_000, 1_000);

    private Holdings.@Nullable Holding tried(String address, long bytes) {
        return holdings.tryTake(Peers.at(address), bytes);
    }

    private Holdings.Holding taken(String address, long bytes) {
        return Objects.requireNonNull(tried(address, bytes));
    }

    @Test
    void halfIsAnybodysAndBeyondItAnAddressHasAQuarter() {
        taken("1.1.1.1", 499);
        assertThat(holdings.isCrowded()).isFalse();
        taken("1.1.1.1", 1);
        assertThat(holdings.isCrowded()).isTrue();

        assertThat(tried("1.1.1.1", 1)).isNull();
        assertThat(tried("2.2.2.2", 100)).isNotNull();
        assertThat(tried("2.2.2.2", 150)).isNotNull();
        assertThat(tried("2.2.2.2", 1)).isNull();
        assertThat(tried("3.3.3.3", 250)).isNotNull();
        assertThat(tried("4.4.4.4", 1)).isNull();
        assertThat(holdings.bytes()).isEqualTo(1_000);
    }

    @Test
    void beyondHalfAConnectionHasAnEighth() {
        taken("1.1.1.1", 500);
        Peer connection = Peers.at("2.2.2.2");

        assertThat(holdings.tryTake(connection, 125)).isNotNull();
        assertThat(holdings.tryTake(connection, 1)).isNull();
        assertThat(tried("2.2.2.2", 125)).isNotNull();
    }

    @Test
    void theAddressesThatAnIpv6SubscriberHasAreOneNetwork() {
        taken("2001:db8:1:2::1", 500);

        assertThat(tried("2001:db8:1:2:3:4:5:6", 1)).isNull();
        assertThat(tried("2001:db8:1:3::1", 250)).isNotNull();
        assertThat(tried("2001:db8:1:3::2", 1)).isNull();
        assertThat(tried("32.1.13.184", 250)).isNotNull();
    }

    @Test
    void whatWouldFillItCanBeKeptOut() {
        Holdings fair = new Holdings(1_000, 250);

        assertThat(fair.tryTake(Peers.at("1.1.1.1"), 251)).isNull();
        Holdings.Holding holding = Objects.requireNonNull(fair.tryTake(Peers.at("1.1.1.1"), 0));
        assertThat(holding.tryGrow(250)).isTrue();
        assertThat(holding.tryGrow(251)).isFalse();
        assertThat(fair.bytes()).isEqualTo(250);
    }

    @Test
    void oneMayHaveAllOfItAndGivesItBackOnce() {
        Holdings.Holding holding = taken("1.1.1.1", 1_000);
        assertThat(tried("2.2.2.2", 1)).isNull();

        holding.release();
        holding.release();
        holding.shrink(0);

        assertThat(holdings.bytes()).isZero();
        assertThat(holdings.count()).isZero();
        assertThat(tried("1.1.1.1", 1_000)).isNotNull();
    }

    @Test
    void whatIsNotNeededAnyMoreIsForOthers() {
        Holdings.Holding first = taken("1.1.1.1", 250);
        taken("1.1.1.1", 250);
        assertThat(tried("1.1.1.1", 125)).isNull();

        first.shrink(125);

        assertThat(tried("1.1.1.1", 125)).isNotNull();
        first.release();
        assertThat(holdings.bytes()).isEqualTo(375);
        assertThat(holdings.count()).isEqualTo(2);
    }
}
