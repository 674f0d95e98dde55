import java.io.File;
import javax.tools.ToolProvider;

/** Compiles each of the given source files into its own directory, in one VM. */
public class CompileVariants {
    public static void main(String[] sources) {
        for (String source : sources) {
            int result = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-g", "-nowarn", "-d",
                                                                  new File(source).getParent(), source);
            if (result != 0) System.exit(result);
        }
    }
}
