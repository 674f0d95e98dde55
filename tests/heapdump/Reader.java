// Describes the classes, objects and roots of the test's programs in heap dumps, read with VisualVM's jfluid-heap.
// Objects are numbered as they
// are met from the static fields on, so that dumps of different VMs can be compared. Arguments: dumps; the description
// of d is written to d.txt.
import java.io.File;
import java.io.PrintStream;
import java.util.*;
import java.util.stream.*;
import org.graalvm.visualvm.lib.jfluid.heap.*;

public class Reader {
    static final Set<String> BOXES =
        Set.of("java.lang.Integer", "java.lang.Long", "java.lang.Character", "java.lang.Double");
    static final Set<String> FOLLOWED =
        Set.of("java.util.ArrayList", "java.util.LinkedHashMap", "java.util.LinkedHashMap$Entry",
               "java.lang.ref.WeakReference", "java.lang.ref.SoftReference", "java.lang.Object");
    // Set by the collector, or when somebody asks for them.
    static final Set<String> CHANGING =
        Set.of("hash", "hashIsZero", "timestamp", "clock", "discovered", "next", "queue", "hashCode");

    final Heap heap;
    final PrintStream out;
    final Map<Long, Integer> numbers = new HashMap<>();
    final Deque<Instance> queue = new ArrayDeque<>();
    final Map<Long, List<String>> roots = new HashMap<>();

    Reader(Heap heap, PrintStream out) { this.heap = heap; this.out = out; }

    static boolean isOurs(String name) { return name.startsWith("Known") || name.startsWith("Population"); }
    static String nameOf(JavaClass c) {
        return c == null ? "none" : c.getName().replaceAll("\\$\\$Lambda.*", "\\$\\$Lambda");
    }

    // ---- values
    static String text(Instance string) {
        PrimitiveArrayInstance value = (PrimitiveArrayInstance) string.getValueOfField("value");
        byte coder = (Byte) string.getValueOfField("coder");
        List<String> bytes = value.getValues();
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < bytes.size(); i += coder + 1)
            s.append((char) (Byte.parseByte(bytes.get(i)) & 255
                             | (coder == 0 ? 0 : (Byte.parseByte(bytes.get(i + 1)) & 255) << 8)));
        return coder + "\"" + s + '"';
    }

    String describe(Instance o) {
        if (o == null) return "null";
        String name = nameOf(o.getJavaClass());
        if (name.equals("java.lang.String")) return text(o);
        if (!isOurs(name) && !FOLLOWED.contains(name) && !BOXES.contains(name) && !name.endsWith("[]"))
            return "a " + name;
        Integer number = numbers.get(o.getInstanceId());
        if (number == null) {
            numbers.put(o.getInstanceId(), number = numbers.size() + 1);
            queue.add(o);
        }
        return "#" + number;
    }

    String describe(FieldValue v) {
        Field f = v.getField();
        String value = v instanceof ObjectFieldValue o ? describe(o.getInstance()) : v.getValue();
        return f.getType().getName() + " " + f.getName() + "=" + value;
    }

    // In the order of names: HotSpot 17 writes the fields of a class backwards.
    String describe(List<FieldValue> values) {
        return values.stream()
            .filter(v -> !v.getField().getName().startsWith("<") && !CHANGING.contains(v.getField().getName()))
            .sorted(Comparator.comparing((FieldValue v) -> v.getField().getName())
                        .thenComparing(v -> v.getField().getDeclaringClass().getName()))
            .map(this::describe)
            .collect(Collectors.joining(", ", "{", "}"));
    }

    String elements(List<?> values) {
        List<String> all = values.stream()
                               .map(v -> v instanceof Instance || v == null ? describe((Instance) v) : v.toString())
                               .collect(Collectors.toList());
        return all.size() <= 40 ? all.toString()
                                : all.subList(0, 20) + "... " + all.size() + " elements, hash " + all.hashCode();
    }

    // ---- what refers to an object, the roots among it
    String referrer(Value v) {
        String from = nameOf(v.getDefiningInstance().getJavaClass());
        if (v instanceof ArrayItemValue item) return from + "[" + item.getIndex() + "]";
        Field f = ((FieldValue) v).getField();
        return (f.isStatic() ? nameOf(f.getDeclaringClass()) : from) + "." + f.getName();
    }

    String referrers(Instance o) {
        return o.getReferences()
            .stream()
            .map(this::referrer)
            .filter(r -> !r.contains("<") && !CHANGING.contains(r.substring(r.lastIndexOf('.') + 1)))
            .sorted()
            .collect(Collectors.toList())
            .toString();
    }

    static String threadName(ThreadObjectGCRoot t) { return text((Instance) t.getInstance().getValueOfField("name")); }

    static String frame(StackTraceElement[] stack, int depth) {
        return stack[depth].getClassName() + "." + stack[depth].getMethodName();
    }

    // Left out: monitors in use, which are roots for us and not for HotSpot (a frame holds them as well), and JNI
    // locals: for us the arguments of a native method are some, HotSpot tells those only that JNI functions have
    // made.
    void readRoots() {
        for (GCRoot r : heap.getGCRoots()) {
            String kind = r.getKind();
            if (kind.equals(GCRoot.MONITOR_USED) || kind.equals(GCRoot.JNI_LOCAL) || r.getInstance() == null) continue;
            if (r instanceof JavaFrameGCRoot f)
                kind += " " + threadName(f.getThreadGCRoot()) + " "
                        + frame(f.getThreadGCRoot().getStackTrace(), f.getFrameNumber());
            roots.computeIfAbsent(r.getInstance().getInstanceId(), id -> new ArrayList<>()).add(kind);
        }
    }

    void describeObject(Instance o) {
        String body = o instanceof ObjectArrayInstance a ? elements(a.getValues())
            : o instanceof PrimitiveArrayInstance a ? elements(a.getValues()) : describe(o.getFieldValues());
        // the library shares them
        String from = BOXES.contains(nameOf(o.getJavaClass())) ? "anywhere" : referrers(o);
        out.println(describe(o) + " " + nameOf(o.getJavaClass()) + " " + body + " from " + from + " roots "
            + roots.getOrDefault(o.getInstanceId(), List.of()).stream().sorted().collect(Collectors.toList()));
        if (o.getNearestGCRootPointer() == null && !o.isGCRoot()) out.println("  is not reached");
    }

    // ---- the whole
    void describeClass(JavaClass c) {
        List<String> fields = c.getFields()
                                  .stream()
                                  .filter(f -> !f.isStatic())
                                  .map(f -> f.getType().getName() + " " + f.getName())
                                  .sorted()
                                  .collect(Collectors.toList());
        Instance loader = c.getClassLoader();
        out.println("class " + nameOf(c) + " extends " + nameOf(c.getSuperClass()) + " by "
                    + (loader == null ? "none" : nameOf(loader.getJavaClass())) + " instances " + c.getInstancesCount()
                    + " fields " + fields + " statics " + describe(c.getStaticFieldValues()));
    }

    static String numbersIn(Instance o) {
        return o.getFieldValues()
            .stream()
            .filter(v -> !(v instanceof ObjectFieldValue))
            .map(FieldValue::getValue)
            .collect(Collectors.toList())
            .toString();
    }

    void describeThreads() {
        heap.getGCRoots()
            .stream()
            .filter(r -> r instanceof ThreadObjectGCRoot)
            .map(r -> (ThreadObjectGCRoot) r)
            .filter(r
                    -> r.getStackTrace() != null
                           && Arrays.stream(r.getStackTrace()).anyMatch(e -> isOurs(e.getClassName())))
            .map(r
                 -> "thread " + threadName(r) + " a " + nameOf(r.getInstance().getJavaClass()) + " "
                        + Arrays.stream(r.getStackTrace())
                              .filter(e -> isOurs(e.getClassName()) && !e.getClassName().contains("$$Lambda"))
                              .map(Object::toString)
                              .collect(Collectors.toList()))
            .sorted()
            .forEach(out::println);
    }

    void describeAll() {
        readRoots();
        // HotSpot makes the classes of arrays of all supertypes at once. Names of lambdas' classes are not the
        // program's.
        List<JavaClass> classes = heap.getAllClasses()
                                      .stream()
                                      .filter(c -> isOurs(c.getName()) && !c.getName().contains("$$Lambda"))
                                      .filter(c -> !c.isArray() || c.getInstancesCount() > 0)
                                      .sorted(Comparator.comparing(Reader::nameOf))
                                      .collect(Collectors.toList());
        classes.forEach(this::describeClass);
        describeThreads();
        // What only frames hold comes last, and in the order of what it holds.
        while (!queue.isEmpty()) describeObject(queue.poll());
        classes.stream()
            .flatMap(c -> c.getInstances().stream())
            .filter(o -> !numbers.containsKey(o.getInstanceId()))
            .sorted(Comparator.comparing((Instance o) -> nameOf(o.getJavaClass()))
                        .thenComparing(o -> roots.get(o.getInstanceId()) + numbersIn(o)))
            .forEach(this::describe);
        while (!queue.isEmpty()) describeObject(queue.poll());
        Instance tree = (Instance) heap.getJavaClassByName("Population").getValueOfStaticField("tree");
        out.println("the tree retains " + tree.getRetainedSize() + " of its " + tree.getSize());
        JavaClass string = heap.getJavaClassByName("java.lang.String");
        Properties p = heap.getSystemProperties();
        out.println("property " + p.getProperty("population.key") + ", String a root: "
                    + heap.getGCRoots().stream().anyMatch(r
                                                          -> r.getKind().equals(GCRoot.STICKY_CLASS)
                                                                 && r.getInstance().getInstanceId()
                                                                        == string.getJavaClassId()));
    }

    public static void main(String[] args) throws Exception {
        for (String dump : args)
            try (PrintStream out = new PrintStream(dump + ".txt", "UTF-8")) {
                new Reader(HeapFactory.createHeap(new File(dump)), out).describeAll();
            }
    }
}
