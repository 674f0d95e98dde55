// Receives program arguments, system properties and the assertion status from the command line.
public class ProgramArguments {
    public static void main(String[] args) {
        for (int i = 0; i < args.length; i++) System.out.println(i + "=[" + args[i] + "]");
        System.out.println(System.getProperty("differential.key"));
        System.out.println(System.getProperty("differential.empty"));
        System.out.println(System.getProperty("differential.missing"));
        System.out.println(Integer.getInteger("differential.number"));
        System.out.println(Boolean.getBoolean("differential.flag"));
        try {
            assert args.length == 0 : "arguments: " + args.length;
            System.out.println("assertions off");
        } catch (AssertionError e) {
            System.out.println(e);
        }
        System.out.println(ProgramArguments.class.desiredAssertionStatus());
    }
}
