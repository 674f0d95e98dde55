import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/** What the VM says of its compiler; with one, methods run until compilations have taken a millisecond. */
public class CompilationTime {
    public static void main(String[] args) {
        System.out.println(System.getProperty("java.vm.info"));
        CompilationMXBean bean = ManagementFactory.getCompilationMXBean();
        System.out.println(bean == null ? "no compiler" : bean.getName());
        if (bean == null) return;
        System.out.println(bean.isCompilationTimeMonitoringSupported() + " " + bean.getObjectName());
        String text = "";
        for (int i = 0; bean.getTotalCompilationTime() == 0; i++) text = String.format("%d %s %08x", i, i * 0.5, i);
        System.out.println(bean.getTotalCompilationTime() > 0 && text != null);
    }
}
