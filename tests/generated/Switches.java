import java.util.List;
import java.util.TreeMap;

/** The two switch instructions. */
final class Switches {
    private Switches() {}

    /**
     * One with these targets; the first cases are small numbers. May be empty: without any case, which HotSpot refuses
     * at the end of a method.
     */
    static String instruction(Body b, List<String> targets, String fallback, boolean mayBeEmpty) {
        if (b.chance(50)) {
            int low = b.chance(80) ? b.between(-1, 2) : b.oneOf(Integer.MIN_VALUE, 1000, Integer.MAX_VALUE - 20);
            return "tableswitch " + low + " " + String.join(" ", targets) + " : " + fallback;
        }
        TreeMap<Integer, String> cases = new TreeMap<>();
        for (String target : targets) {
            int key = b.chance(70) ? b.between(0, 7) : b.oneOf(Integer.MIN_VALUE, -1, 1 << 20, Integer.MAX_VALUE);
            cases.put(key, target);
        }
        if (mayBeEmpty && b.chance(5)) cases.clear();
        StringBuilder s = new StringBuilder("lookupswitch");
        cases.forEach((key, target) -> s.append(' ').append(key).append('=').append(target));
        return s + " : " + fallback;
    }
}
