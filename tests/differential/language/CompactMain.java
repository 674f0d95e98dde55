// A compact source file: no class declaration, an instance main method without parameters.
final String greeting = "instance main";

String decorate(String s) { return "[" + s + "]"; }

void main() {
    IO.println(decorate(greeting));
    System.out.println(getClass().getName() + " " + List.of(1, 2).size());
}
