// Handlers whose catch type cannot be resolved: the error takes the exception's place, and the search goes on from
// where the handler stands.
import java.util.concurrent.CountDownLatch;

public class UnresolvableCatchTypes {
    static final int S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;
    static int n;

    /** Refuses the classes named Missing..., and Late until it has been asked for three times. */
    static final class Refusing extends ClassLoader {
        static final ClassAssembler LATE =
            new ClassAssembler(49, ClassAssembler.PUBLIC, "Late", "java/lang/RuntimeException")
                .constructor("java/lang/RuntimeException");
        final CountDownLatch met = new CountDownLatch(1);
        int asked;
        RuntimeException made;
        Refusing(ClassAssembler... all) {
            super(UnresolvableCatchTypes.class.getClassLoader());
            for (ClassAssembler a : all) {
                byte[] b = a.toBytes();
                defineClass(a.name(), b, 0, b.length);
            }
        }
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals("MissingForEver")) met.countDown();
            if (name.startsWith("Missing")) throw new ClassNotFoundException("refused " + name);
            if (name.equals("Failing")) throw new IllegalStateException("failed " + ++asked);
            if (name.equals("Late")) {
                if (++asked == 4) return made.getClass();
                if (made == null) made = late();
                throw made;
            }
            return super.loadClass(name, resolve);
        }
        RuntimeException late() throws ClassNotFoundException {
            try {
                return (RuntimeException) ClassAssembler.load(LATE).getConstructor().newInstance();
            } catch (ReflectiveOperationException e) {
                throw new ClassNotFoundException("Late", e);
            }
        }
    }

    static void run(String code) {
        String name = "User" + ++n;
        ClassAssembler u = new ClassAssembler(49, name).method(S, "go", "()Ljava/lang/Object;", 3, 2, code);
        /* a class of another package, which User may not use */
        ClassAssembler hidden = new ClassAssembler(49, ClassAssembler.SUPER, "q/Hidden", "java/lang/Exception")
                                    .constructor("java/lang/Exception");
        Class<?> c;
        try {
            c = new Refusing(hidden, u).loadClass(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(n + " " + stripped(ClassAssembler.call(c, "go")));
            } catch (Throwable e) {
                System.out.println(n + " thrown " + stripped(e) + " at line " + line(e));
            }
        }
    }
    static String stripped(Object o) { return o.toString().replaceAll("@(0x)?[0-9a-f]+", "@"); }
    static int line(Throwable e) {
        for (StackTraceElement f : e.getStackTrace())
            if (f.getClassName().startsWith("User")) return f.getLineNumber();
        return -1;
    }

    public static void main(String[] args) throws InterruptedException {
        String thrower =
            "L:\n .line 1\n new java/lang/Error\n dup\n invokespecial java/lang/Error.<init> ()V\n athrow\n M:\n"
            + "H:\n .line 2\n pop\n ldc \"H\"\n areturn\n I:\n"
            + "G:\n .line 3\n invokevirtual java/lang/Object.toString ()Ljava/lang/String;\n areturn\n J:\n";
        for (String type : new String[] {"Missing", "q/Hidden", "Failing"}) {
            String first = ".catch " + type + " L M H\n";
            run(thrower + first);
            /* handlers of the place where it was thrown have no part any more */
            run(thrower + first + ".catch any L M G\n");
            run(thrower + ".catch java/lang/RuntimeException L M G\n" + first + ".catch java/lang/Error L M G\n");
            /* handlers of the place where the handler stands do */
            run(thrower + first + ".catch java/lang/Throwable H I G\n");
            run(thrower + ".catch java/lang/Throwable H I G\n" + first);
            run(thrower + ".catch java/lang/RuntimeException H I G\n" + first);
            run(thrower + ".catch java/lang/LinkageError H I G\n" + first);
            run(thrower + first + ".catch MissingToo H I G\n");
            run(thrower + first + ".catch MissingToo H I G\n .catch any G J H\n");
            /* a match that comes first */
            run(thrower + ".catch java/lang/Error L M G\n" + first);
        }
        /* a handler within its own range is met again and again, until its type can be resolved */
        run(thrower + ".catch Late L I H\n");
        run(thrower + ".catch Late L I G\n .catch java/lang/Throwable G J H\n");
        /* and when it never can, the others go on */
        ClassAssembler u =
            new ClassAssembler(49, "Looping")
                .method(S, "go", "()Ljava/lang/Object;", 3, 2, thrower + ".catch MissingForEver L I H\n");
        Refusing loader = new Refusing(u);
        Thread looping = new Thread(() -> {
            try {
                ClassAssembler.call(loader.loadClass("Looping"), "go");
            } catch (Throwable e) {
                System.out.println(e);
            }
        });
        looping.setDaemon(true);
        looping.start();
        loader.met.await();
        for (int i = 0; i < 5; i++) System.gc();
        System.out.println("collected beside " + looping.getState());
    }
}
