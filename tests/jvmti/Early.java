/* What agent early watches is over when this runs. */
public class Early {
    public static void main(String[] args) { System.out.println("main"); }
}
