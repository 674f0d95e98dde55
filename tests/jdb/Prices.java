// Redefined by the debugger with what stands in tests/jdb/redefined.
class Prices {
    static int price(int n) {
        int p = n * 2;
        return p;
    }
}
