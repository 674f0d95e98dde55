package p_q;

// Native methods by the kinds of their names; each answers its own number.
public class Names {
    static native int plain();
    static native int under_score_();
    static native int dollar$sign();
    static native int accent\u00e9();
    static native int \u65e5\u672c();
    static native int over(int a);
    static native int over(long a, String b);
    static native int over(int[] a, Object[][] b);
    static native int over(In_ner a);
    static native int both();
    static native int longOnly();
    static native int clash(Object a);
    static native int clash(int a);
    static native int digit_0();
    static native int missing(int[] a, In_ner b);
    static native int miss_ing$();

    public static class In_ner {
        static native int inside();
        static native int missing();
    }

    interface Call { int call(); }
    static void say(String what, Call c) {
        try {
            System.out.println(what + " " + c.call());
        } catch (UnsatisfiedLinkError e) {
            System.out.println(what + " " + e.getMessage());
        }
    }

    public static void run() {
        say("plain", Names::plain);
        say("under_score_", Names::under_score_);
        say("dollar", Names::dollar$sign);
        say("accent", Names::accent\u00e9);
        say("ideographs", Names::\u65e5\u672c);
        say("over int", () -> over(1));
        say("over long", () -> over(1L, ""));
        say("over arrays", () -> over(null, null));
        say("over inner", () -> over(null));
        say("both", Names::both);
        say("longOnly", Names::longOnly);
        // Without a long name the short one serves every overload.
        say("clash Object", () -> clash("x"));
        say("clash int", () -> clash(1));
        say("digit_0", Names::digit_0);
        say("inner", In_ner::inside);
        say("missing", () -> missing(null, null));
        say("miss_ing$", Names::miss_ing$);
        say("inner missing", In_ner::missing);
    }
}
