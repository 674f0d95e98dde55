import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import com.sun.tools.attach.AttachOperationFailedException;
import com.sun.tools.attach.VirtualMachine;
import sun.tools.attach.HotSpotVirtualMachine;

/** jcmd for many lines: each line of its input is a command for process args[0], in which U+2424 stands for a newline;
 *  an answer is its number of bytes, in a line of its own, and the text. The number of a refusal is negative. */
public class Asks {
    public static void main(String[] args) throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(System.out, true);
        for (String line; (line = in.readLine()) != null; ) {
            var vm = (HotSpotVirtualMachine) VirtualMachine.attach(args[0]);
            byte[] answer;
            int sign = 1;
            String command = line.replace('\u2424', '\n');
            try (var text = new InputStreamReader(vm.executeJCmd(command), StandardCharsets.UTF_8)) {
                var all = new StringBuilder();
                char[] part = new char[4096];
                for (int n; (n = text.read(part)) > 0; ) all.append(part, 0, n);
                answer = all.toString().getBytes(StandardCharsets.UTF_8);
            } catch (AttachOperationFailedException e) {
                sign = -1;
                answer = (e.getMessage() + "\n").getBytes(StandardCharsets.UTF_8);
            }
            vm.detach();
            if (answer.length == 0) answer = "Command executed successfully\n".getBytes(StandardCharsets.UTF_8);
            out.println(sign * answer.length);
            out.write(answer);
            out.flush();
        }
    }
}
