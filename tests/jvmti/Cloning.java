// Objects that the VM makes for a callback of VMObjectAlloc. Agent: tests/agents/cloning.c
public class Cloning implements Cloneable {
    static native void tell(boolean on);

    @Override
    public Cloning clone() {
        try {
            return (Cloning) super.clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) {
        Cloning first = new Cloning();
        tell(true);
        Cloning second = first.clone(), third = second.clone();
        tell(false);
        System.out.println("main: " + (first != second && second != third));
    }
}
