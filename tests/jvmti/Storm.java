import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;

/** Has the compiler compile until the agent call_storm has enough. Arguments: directory for classes, sources. */
public class Storm {
    static native boolean enough();

    static int compile(String[] arguments) {
        List<String> command = new ArrayList<>(List.of("-nowarn", "-proc:none", "-d", arguments[0]));
        for (int i = 1; i < arguments.length; i++) command.add(arguments[i]);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int result = ToolProvider.getSystemJavaCompiler().run(null, said, said, command.toArray(new String[0]));
        if (result != 0) System.err.print(said);
        return result;
    }

    public static void main(String[] arguments) throws Exception {
        int[] results = new int[2];
        Thread other = new Thread(() -> {
            do results[0] |= compile(arguments); while (!enough());
        });
        other.start();
        do results[1] |= compile(arguments); while (!enough());
        other.join();
        System.out.println("compiled: " + (results[0] | results[1]));
    }
}
