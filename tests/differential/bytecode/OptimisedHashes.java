import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;

/** Identity hashes in optimised code: of receivers that have Object's, then of one that has not, and of null. */
public class OptimisedHashes {
    static class Own {
        final int value;
        Own(int value) { this.value = value; }
        @Override public int hashCode() { return value; }
    }
    enum Color { RED, GREEN }

    static int guessed(Object o) { return o.hashCode(); }
    static int identity(Object o) { return System.identityHashCode(o); }
    static int constant() { return System.identityHashCode(Color.GREEN) + System.identityHashCode(null); }

    static int sum(Object[] all) {
        int s = 0;
        for (Object o : all) s = s * 31 + o.hashCode();
        return s;
    }

    /** The hash belongs to the object, though nobody else sees it. */
    static boolean ofOneThatIsNotKept(int i) {
        Object o = new Object();
        int h = o.hashCode();
        return h == System.identityHashCode(o) && h != 0 | i < 0;
    }

    public static void main(String[] args) {
        Object[] objects = new Object[500];
        int[] hashes = new int[objects.length];
        Class<?>[] kinds = {Object.class, int[].class, Thread.class};
        for (int i = 0; i < objects.length; i++) {
            objects[i] = i % 3 == 0 ? new Object() : i % 3 == 1 ? new int[i] : new StringBuilder();
            hashes[i] = objects[i].hashCode();
        }
        Set<Integer> different = new HashSet<>();
        for (int h : hashes) different.add(h);
        System.out.println("different: " + (different.size() > 490) + ", positive: " +
                           Arrays.stream(hashes).allMatch(h -> h > 0));

        int wrong = 0, sum = sum(objects), constant = constant();
        for (int round = 0; round < 200; round++) {
            for (int i = 0; i < objects.length; i++)
                if (guessed(objects[i]) != hashes[i] || identity(objects[i]) != hashes[i]) wrong++;
            if (sum(objects) != sum || constant() != constant || !ofOneThatIsNotKept(round)) wrong++;
        }
        System.out.println("wrong: " + wrong + ", of null: " + identity(null));

        for (int i = 0; i < 30; i++)
            if (guessed(new Own(i)) != i || guessed("a" + i) != ("a" + i).hashCode() || identity(new Own(i)) == 0)
                wrong++;
        for (Class<?> c : kinds)
            if (guessed(c) != identity(c)) wrong++;
        for (Color c : Color.values())
            if (guessed(c) != identity(c)) wrong++;
        System.out.println("with others: " + wrong);
        for (int i = 0; i < 3; i++) {
            try {
                System.out.println(guessed(i == 1 ? null : new Own(i)));
            } catch (NullPointerException e) {
                System.out.println(e.getMessage());
            }
        }

        IdentityHashMap<Object, Integer> map = new IdentityHashMap<>();
        for (int round = 0; round < 100; round++)
            for (Object o : objects) map.merge(o, 1, Integer::sum);
        System.out.println(map.size() + ", each " + new HashSet<>(map.values()));
    }
}
