"""What has a window: a display without a screen (Xvfb), a robot that uses the program, and pictures of what is seen."""
import subprocess

from program import Program

WINDOW = """
import java.awt.*;
import java.awt.event.*;
import java.awt.geom.*;
import java.awt.image.*;
import java.io.File;
import java.util.concurrent.*;
import javax.imageio.ImageIO;
import javax.swing.*;
import javax.swing.table.*;
import javax.swing.tree.*;

/** A window of many components; a robot uses it with mouse and keys. Writes the events and three pictures. */
public class Window {
    static final JTextField text = new JTextField(16);
    static final JButton add = new JButton("Add");
    static final JCheckBox box = new JCheckBox("Fast");
    static final JSlider slider = new JSlider(0, 10, 2);
    static final JMenu menu = new JMenu("File");
    static final JMenuItem count = new JMenuItem("Count"), close = new JMenuItem("Close");
    static final DefaultTableModel rows = new DefaultTableModel(new Object[] {"n", "word"}, 0);
    static final JTable table = new JTable(rows);
    static final JTree tree = new JTree();
    static final JTabbedPane tabs = new JTabbedPane();
    static final CountDownLatch closed = new CountDownLatch(1);
    static JFrame frame;
    static Robot robot;

    static class Drawing extends JComponent {
        public Dimension getPreferredSize() { return new Dimension(260, 200); }
        protected void paintComponent(Graphics g) {
            Graphics2D d = (Graphics2D) g.create();
            d.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            d.setPaint(new GradientPaint(0, 0, Color.YELLOW, 260, 200, Color.BLUE));
            d.fillRect(0, 0, 260, 200);
            d.setPaint(new RadialGradientPaint(130, 100, 80, new float[] {0, 1}, new Color[] {Color.RED, Color.WHITE}));
            d.fill(new Ellipse2D.Double(70, 40, 120, 120));
            Path2D star = new Path2D.Double();
            for (int i = 0; i < 5; i++) {
                double a = i * 4 * Math.PI / 5, x = 130 + 60 * Math.sin(a), y = 100 - 60 * Math.cos(a);
                if (i == 0) star.moveTo(x, y);
                else star.lineTo(x, y);
            }
            star.closePath();
            d.setComposite(AlphaComposite.getInstance(AlphaComposite.SRC_OVER, 0.5f));
            d.setStroke(new BasicStroke(7, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND, 1, new float[] {12, 9}, 0));
            d.setColor(Color.BLACK);
            d.draw(star);
            d.setComposite(AlphaComposite.SrcOver);
            d.rotate(0.4, 130, 100);
            d.setFont(new Font(Font.SERIF, Font.BOLD, 26));
            d.drawString("Vitrine \\u00e4\\u00f6\\u03b1\\u03b2", 50, 110);
            BufferedImage image = new BufferedImage(40, 40, BufferedImage.TYPE_INT_ARGB);
            for (int i = 0; i < 1600; i++) image.setRGB(i % 40, i / 40, 0xff000000 | i * 2654 ^ i << 9);
            d.drawImage(new ConvolveOp(new Kernel(3, 3, new float[] {.1f, .1f, .1f, .1f, .2f, .1f, .1f, .1f, .1f}))
                        .filter(image, null), AffineTransform.getScaleInstance(1.5, 0.75), null);
            d.dispose();
        }
    }

    static synchronized void say(String what) { System.out.println(what); }

    static void build() {
        text.getCaret().setBlinkRate(0);
        text.addKeyListener(new KeyAdapter() {
            public void keyPressed(KeyEvent e) { say("key " + KeyEvent.getKeyText(e.getKeyCode())); }
        });
        ActionListener enter = e -> {
            rows.addRow(new Object[] {rows.getRowCount(), text.getText()});
            say("added " + text.getText() + " by a " + e.getSource().getClass().getSimpleName());
            text.setText("");
        };
        text.addActionListener(enter);
        add.addActionListener(enter);
        box.addItemListener(e -> say("fast " + box.isSelected()));
        slider.setMajorTickSpacing(5);
        slider.setPaintTicks(true);
        slider.setPaintLabels(true);
        slider.addChangeListener(e -> { if (!slider.getValueIsAdjusting()) say("slider " + slider.getValue()); });
        count.addActionListener(e -> say("rows " + rows.getRowCount()));
        close.addActionListener(e -> frame.dispose());
        menu.add(count);
        menu.add(close);
        table.getSelectionModel().addListSelectionListener(e -> {
            if (!e.getValueIsAdjusting()) say("row " + table.getSelectedRow());
        });
        tree.addTreeSelectionListener(e -> say("tree " + e.getPath()));
        JMenuBar bar = new JMenuBar();
        bar.add(menu);
        JPanel top = new JPanel();
        for (JComponent c : new JComponent[] {text, add, box, slider}) top.add(c);
        JScrollPane list = new JScrollPane(table);
        list.setPreferredSize(new Dimension(240, 200));
        tabs.addTab("Drawing", new Drawing());
        tabs.addTab("Tree", new JScrollPane(tree));
        tabs.addChangeListener(e -> say("tab " + tabs.getTitleAt(tabs.getSelectedIndex())));
        frame = new JFrame("Window");
        frame.setJMenuBar(bar);
        frame.add(top, BorderLayout.NORTH);
        frame.add(list, BorderLayout.WEST);
        frame.add(tabs, BorderLayout.CENTER);
        frame.addWindowListener(new WindowAdapter() {
            public void windowOpened(WindowEvent e) { say("opened"); }
            public void windowClosed(WindowEvent e) { say("closed"); closed.countDown(); }
        });
        frame.setDefaultCloseOperation(JFrame.DISPOSE_ON_CLOSE);
        frame.pack();
        frame.setLocation(20, 20);
        frame.setVisible(true);
    }

    static void until(Callable<Boolean> condition) throws Exception {
        FutureTask<Boolean> asked;
        long end = System.nanoTime() + 60_000_000_000L;
        do {
            robot.waitForIdle();
            SwingUtilities.invokeAndWait(asked = new FutureTask<>(condition));
            if (System.nanoTime() > end) throw new IllegalStateException("nothing came of it");
        } while (!asked.get());
    }

    static void click(Component c, int x, int y) throws Exception {
        until(c::isShowing);
        Point at = c.getLocationOnScreen();
        robot.mouseMove(at.x + x, at.y + y);
        robot.mousePress(InputEvent.BUTTON1_DOWN_MASK);
        robot.mouseRelease(InputEvent.BUTTON1_DOWN_MASK);
    }

    static void type(String keys) {
        for (char c : keys.toCharArray()) {
            robot.keyPress(KeyEvent.getExtendedKeyCodeForChar(c));
            robot.keyRelease(KeyEvent.getExtendedKeyCodeForChar(c));
        }
    }

    static void picture(String name) throws Exception {
        robot.mouseMove(700, 500);
        robot.waitForIdle();
        until(() -> { frame.repaint(); return true; });
        robot.waitForIdle();
        BufferedImage image = robot.createScreenCapture(new Rectangle(Toolkit.getDefaultToolkit().getScreenSize()));
        ImageIO.write(image, "png", new File(name + "-robot.png"));
        new ProcessBuilder("import", "-window", "root", name + "-import.png").inheritIO().start().waitFor();
    }

    public static void main(String[] a) throws Exception {
        robot = new Robot();
        SwingUtilities.invokeAndWait(Window::build);
        click(text, 20, 8);
        until(text::isFocusOwner);
        type("hello\\n");
        until(() -> rows.getRowCount() == 1);
        type("world");
        until(() -> text.getText().equals("world"));
        click(add, 10, 8);
        until(() -> rows.getRowCount() == 2);
        click(box, 8, 8);
        until(box::isSelected);
        click(slider, slider.getWidth() - 12, 8);
        until(() -> slider.getValue() == 3);
        click(table, 20, 20);
        until(() -> table.getSelectedRow() == 1);
        picture("table");
        click(tabs, 100, 10);
        until(() -> tabs.getSelectedIndex() == 1);
        click(tree, 40, 30);
        until(() -> tree.getSelectionCount() == 1);
        picture("tree");
        click(menu, 8, 8);
        until(menu::isPopupMenuVisible);
        picture("menu");
        click(count, 8, 8);
        until(() -> !menu.isPopupMenuVisible());
        click(menu, 8, 8);
        click(close, 8, 8);
        closed.await();
    }
}
"""


def on_a_display(run_it):
    """run_it(run) with a display of its own; takes it away after it."""
    def run(r):
        server = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"],
                                  cwd=r.work, env=r.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                  start_new_session=True)
        r.children.append(server)
        r.env["DISPLAY"] = f":{server.stdout.readline().strip()}"
        run_it(r)
    return run


def window(r):
    r.command("javac Window.java")
    r.java("-cp", ".", "Window")
    # Pixel by pixel: number of colours and checksum, as the VM reads the screen and as ImageMagick does.
    for picture in "menu", "table", "tree":
        for by in "robot", "import":
            r.command(f"identify -format '{picture} {by} %wx%h, %k colours\\n' {picture}-{by}.png; "
                      f"convert {picture}-{by}.png rgb:- | cksum")


PROGRAMS = [
    Program("swing", "a window under Xvfb that a robot uses; its events, and three screenshots, every pixel the same",
            on_a_display(window), "\nclosed\n", ["xvfb", "imagemagick", "openjdk-17-jre", "fonts-dejavu-core"],
            files={"Window.java": WINDOW}),
]
