// What could not be resolved fails again with an error like the first (JVMS 5.4.3): of its class and with its message,
// but a new one, with the stack trace of where it is thrown, and so is its cause.
import java.io.IOException;
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;

public class ErrorsAgain {
    static final int S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;
    static final String OBJECT = "java/lang/Object";

    /** What it throws for some names is known by them. Nothing of a user's class: of these HotSpot says the second time
        that it does not find them. */
    static final class Refusing extends ClassLoader {
        Refusing(ClassAssembler a) {
            super(ErrorsAgain.class.getClassLoader());
            byte[] b = a.toBytes();
            defineClass(a.name(), b, 0, b.length);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            switch (name) {
            case "Gone": throw new ClassNotFoundException("refused " + name, new IllegalStateException("inner"));
            case "Mute": throw new ClassNotFoundException();
            case "Odd": throw new NoClassDefFoundError("odd");
            case "p.OddAndMute": throw new NoClassDefFoundError();
            case "Caused": throw (Error) new IncompatibleClassChangeError("caused").initCause(new IOException("io"));
            case "Unchecked": throw new IllegalStateException("unchecked");
            case "Circular": throw new ClassCircularityError("circular");
            default: return super.loadClass(name, resolve);
            }
        }
    }

    static class Hidden { }

    public static class Parted {
        private static int hidden;

        private static void hide() { }

        public void member() { }
    }

    /** For constants and for call sites: throws what the name says. */
    public static Object link(MethodHandles.Lookup lookup, String name, Class<?> type) throws Throwable {
        throw make(name);
    }

    public static CallSite link(MethodHandles.Lookup lookup, String name, MethodType type) throws Throwable {
        if (name.equals("fine")) return new ConstantCallSite(MethodHandles.constant(Object.class, "fine"));
        throw make(name);
    }

    static Throwable make(String name) {
        switch (name) {
        case "error": return new Error("an error");
        case "linkage": return new LinkageError("linkage");
        case "caused": return new LinkageError("linkage", new IOException("io"));
        case "mute": return new LinkageError();
        case "exception": return new IllegalStateException("an exception");
        default: return new IOException("checked");
        }
    }

    static String stack(Throwable t) {
        return Arrays.stream(t.getStackTrace()).filter(f -> f.getClassName().startsWith("User"))
            .map(f -> f.getMethodName()).toList().toString();
    }

    static int n;

    /** Two methods with the same constant, each called twice. */
    static void run(String code) throws Exception {
        String name = "User" + ++n;
        ClassAssembler u = new ClassAssembler(55, ClassAssembler.PUBLIC, name, OBJECT);
        u.bootstrap("handle 6 ErrorsAgain.link (Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
                    + (code.contains("invokedynamic") ? "Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;"
                                                      : "Ljava/lang/Class;)Ljava/lang/Object;"));
        u.method(S, "first", "()V", 3, 2, code + "\n return").method(S, "second", "()V", 3, 2, code + "\n return");
        Class<?> c = new Refusing(u).loadClass(name);
        System.out.println(code.replace("\n", ";"));
        Throwable last = null;
        for (String method : new String[] {"first", "first", "second", "second"}) {
            try {
                ClassAssembler.call(c, method);
                System.out.println("  fine");
            } catch (Throwable t) {
                StringBuilder text = new StringBuilder();
                for (Throwable e = t; e != null; e = e.getCause())
                    text.append(e == t ? "  " : " because of ").append(e).append(" in ").append(stack(e));
                System.out.println(text.toString().replaceAll("@[0-9a-f]+", "@") + (t == last ? ", the same" : ""));
                last = t;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        for (String name : "Gone Mute Odd p/OddAndMute Caused Unchecked Circular ErrorsAgain$Hidden".split(" ")) {
            run("ldc class " + name + "\n pop");
            run("invokestatic " + name + ".m ()V");
        }
        run("new Gone\n pop");
        run("aconst_null\n checkcast Gone\n pop");
        run("ldc \"text\"\n checkcast Gone\n pop");
        run("iconst_1\n anewarray Gone\n pop");
        run("ldc type (LGone;)V\n pop");
        run("ldc type (Lp/OddAndMute;)V\n pop");
        run("ldc handle 6 Gone.m ()V\n pop");
        run("ldc handle 6 p/OddAndMute.m ()V\n pop");
        run("ldc handle 6 ErrorsAgain$Parted.none ()V\n pop");
        run("ldc handle 6 ErrorsAgain$Parted.hide ()V\n pop");
        run("invokestatic ErrorsAgain$Parted.none ()V");
        run("invokestatic ErrorsAgain$Parted.hide ()V");
        run("invokestatic ErrorsAgain$Parted.member ()V");
        run("getstatic ErrorsAgain$Parted.none I\n pop");
        run("getstatic ErrorsAgain$Parted.hidden I\n pop");
        for (String name : "error linkage mute caused exception checked".split(" ")) {
            run("ldc dynamic 0 " + name + " Ljava/lang/Object;\n pop");
            run("invokedynamic 0 " + name + " ()Ljava/lang/Object;\n pop");
        }
        run("ldc dynamic 0 error LGone;\n pop");
        run("ldc dynamic 0 error Lp/OddAndMute;\n pop");
        run("invokedynamic 0 fine ()LGone;\n pop");
    }
}
