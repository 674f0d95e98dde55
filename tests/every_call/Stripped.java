/** Compiled without any tables. */
class Stripped {
    static int method(int n) { return n; }
}
