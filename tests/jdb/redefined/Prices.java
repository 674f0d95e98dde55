class Prices {
    static int price(int n) {
        int tax = n / 2;
        int p = n * 3 + tax;
        return p;
    }
}
