package dev.holdfast.delivery;

/** The instances of one consumer, and how many batches each has under way. On the delivery's event loop. */
final class Instances {
    private final int[] atWork;

    Instances(int count) {
        atWork = new int[count];
    }

    /** Takes on a batch; the number of the instance with the fewest others, from 0. */
    int begin() {
        int least = 0;
        for (int i = 1; i < atWork.length; i++) {
            least = atWork[i] < atWork[least] ? i : least;
        }
        atWork[least]++;
        return least;
    }

    void end(int instance) {
        atWork[instance]--;
    }
}
