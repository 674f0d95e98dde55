import java.util.Arrays;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.After;
import org.aspectj.lang.annotation.AfterReturning;
import org.aspectj.lang.annotation.AfterThrowing;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.aspectj.lang.annotation.DeclareMixin;
import org.aspectj.lang.annotation.Pointcut;

/** One advice of each kind, one pointcut of each kind, for Woven. */
@Aspect
public class Watching {
    @Pointcut("execution(* Woven.Account.*(..)) && !execution(* toString())")
    void account() { }

    @Before("account() && args(amount)")
    public void before(JoinPoint p, int amount) {
        System.out.println("before " + p.getSignature().toShortString() + " " + amount + " of " + p.getThis());
    }

    @AfterReturning(pointcut = "account()", returning = "value")
    public void returned(JoinPoint.StaticPart p, Object value) {
        System.out.println("returned " + p.toShortString() + " " + value);
    }

    @AfterThrowing(pointcut = "account()", throwing = "e")
    public void threw(IllegalArgumentException e) { System.out.println("threw " + e.getMessage()); }

    @After("execution(Woven.Account.new(..))")
    public void made(JoinPoint p) {
        System.out.println("made " + Arrays.toString(p.getArgs()) + " line "
                           + p.getStaticPart().getSourceLocation().getLine());
    }

    @Around("set(int Woven.Account.balance) && args(value)")
    public Object set(ProceedingJoinPoint p, int value) throws Throwable { return p.proceed(new Object[] {value * 2}); }

    @After("get(static int Woven.Account.opened)")
    public void got() { Tally.count("get of opened"); }

    @Around("execution(long Woven.factorial(int)) && args(n)")
    public long factorial(ProceedingJoinPoint p, int n) throws Throwable {
        Tally.count("factorial");
        return n == 3 ? 100 : (Long) p.proceed(new Object[] {n});
    }

    @Around("call(double Woven.mixed(..))")
    public double mixed(ProceedingJoinPoint p) throws Throwable {
        Object[] args = p.getArgs();
        System.out.println("mixed " + Arrays.deepToString(args));
        args[0] = (byte) 100;
        return (Double) p.proceed(args) + 0.5;
    }

    @Before("execution(* Woven.inner(..)) && cflow(execution(* Woven.outer(..)))")
    public void within() { Tally.count("inner below outer"); }

    @Before("handler(NumberFormatException) && args(e)")
    public void handled(NumberFormatException e) { System.out.println("handled " + e.getMessage()); }

    @Around("execution(int Woven.slow(int))")
    public Object slow(ProceedingJoinPoint p) throws Throwable {
        Tally.count("slow");
        return (Integer) p.proceed() + 1;
    }

    @Before("staticinitialization(Woven.Account)")
    public void initialised() { Tally.count("Account initialised"); }

    @DeclareMixin("Woven.Account")
    public static Comparable<Object> comparable() { return o -> 0; }
}
