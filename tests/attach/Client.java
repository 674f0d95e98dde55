import com.sun.tools.attach.VirtualMachine;
import java.util.Properties;

/** Attaches to args[0] and does what the other arguments say; prints results and exceptions. */
public class Client {
    interface Action { Object run() throws Exception; }

    static void attempt(String what, Action a) {
        try {
            System.out.println(what + ": " + a.run());
        } catch (Exception e) {
            System.out.println(what + ": " + e.getClass().getName() + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        VirtualMachine target = VirtualMachine.attach(args[0]);
        String jar = args[1], histogram = args[2], without = args[3];
        attempt("property", () -> target.getSystemProperties().getProperty("attach.test"));
        attempt("command", () -> target.getAgentProperties().getProperty("sun.java.command"));
        attempt("agent", () -> { target.loadAgent(jar, "some options"); return "loaded"; });
        attempt("agent again", () -> { target.loadAgent(jar, null); return "loaded"; });
        attempt("no jar", () -> { target.loadAgent("/nowhere.jar"); return "loaded"; });
        attempt("library", () -> { target.loadAgentPath(histogram, "help"); return "loaded"; });
        attempt("library that refuses", () -> { target.loadAgentPath(histogram, "nonsense=1"); return "loaded"; });
        attempt("no library", () -> { target.loadAgentPath("/nowhere.so", null); return "loaded"; });
        attempt("library without Agent_OnAttach", () -> { target.loadAgentPath(without, null); return "loaded"; });
        attempt("library by name", () -> { target.loadAgentLibrary("no_such_agent"); return "loaded"; });
        target.detach();
    }
}
