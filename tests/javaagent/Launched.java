/** Main-Class of the agent's own jar. */
public class Launched {
    public static void main(String[] args) {
        System.out.println(Agent.how);
        System.out.println(Agent.inst != null && Agent.inst.isModifiableClass(Launched.class));
    }
}
