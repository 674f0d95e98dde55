// Compiled without a LocalVariableTable.
public class ExecutionNoTable {
    String locals(String a, int b, long c, float d, double e) {
        int later = b;
        later++;
        return a + b + c + d + e + later;
    }
}
