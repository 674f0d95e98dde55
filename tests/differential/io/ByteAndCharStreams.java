// java.io streams in memory: buffered, data, object-free, piped, push-back, sequence, line and print streams, readers
// and writers.
import java.io.*;
import java.util.*;

public class ByteAndCharStreams {
    interface Action {
        Object run() throws Exception;
    }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (Exception e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) throws Exception {
        ByteArrayOutputStream b = new ByteArrayOutputStream();
        try (DataOutputStream d = new DataOutputStream(new BufferedOutputStream(b, 3))) {
            d.writeBoolean(true);
            d.writeByte(-1);
            d.writeShort(-300);
            d.writeChar('é');
            d.writeInt(1 << 30);
            d.writeLong(1L << 60);
            d.writeFloat(1.5f);
            d.writeDouble(-0.0);
            d.writeUTF("utf \0 é 日 \ud83d\ude00");
            d.writeBytes("bytes");
            d.writeChars("ch");
            System.out.println(d.size());
        }
        DataInputStream in = new DataInputStream(new BufferedInputStream(new ByteArrayInputStream(b.toByteArray()), 4));
        System.out.println(in.readBoolean() + " " + in.readByte() + " " + in.readShort() + " " + (int) in.readChar()
                           + " " + in.readInt() + " " + in.readLong() + " " + in.readFloat() + " " + in.readDouble()
                           + " " + in.readUTF().hashCode() + " " + new String(in.readNBytes(5)) + in.readUnsignedShort()
                           + in.skipBytes(10) + in.available());
        t(in::readInt);
        t(() -> new DataInputStream(new ByteArrayInputStream(new byte[] {0, 5, 'a'})).readUTF());
        t(() -> new DataInputStream(new ByteArrayInputStream(new byte[] {0, 2, (byte) 0xE0, 1})).readUTF());
        t(() -> {
            new DataOutputStream(new ByteArrayOutputStream()).writeUTF("x".repeat(70000));
            return 0;
        });
        BufferedReader r = new BufferedReader(new StringReader("one\ntwo\r\nthree\rfour"), 5);
        r.mark(100);
        System.out.println(r.readLine() + r.readLine());
        r.reset();
        System.out.println(r.lines().toList());
        LineNumberReader ln = new LineNumberReader(new StringReader("a\nb\nc"));
        ln.readLine();
        ln.readLine();
        System.out.println(ln.getLineNumber());
        PushbackInputStream pb = new PushbackInputStream(new ByteArrayInputStream(new byte[] {1, 2}), 1);
        int first = pb.read();
        pb.unread(first + 10);
        System.out.println(pb.read() + " " + pb.read() + " " + pb.read());
        t(() -> {
            pb.unread(1);
            pb.unread(2);
            return 0;
        });
        SequenceInputStream seq = new SequenceInputStream(Collections.enumeration(
            List.of(new ByteArrayInputStream("ab".getBytes()), new ByteArrayInputStream("cd".getBytes()))));
        System.out.println(new String(seq.readAllBytes()));
        PipedOutputStream po = new PipedOutputStream();
        PipedInputStream pi = new PipedInputStream(po, 8);
        Thread w = new Thread(() -> {
            try (po) {
                for (int i = 0; i < 100; i++) po.write(i);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        w.start();
        int sum = 0;
        for (int c; (c = pi.read()) >= 0;) sum += c;
        w.join();
        System.out.println(sum);
        StringWriter sw = new StringWriter();
        try (PrintWriter pw = new PrintWriter(sw)) {
            pw.printf("%d-%s%n", 5, "x");
            pw.println(1.5);
            pw.append('c').append("seq", 1, 2).write("end", 0, 2);
            System.out.println(pw.checkError());
        }
        System.out.println(sw);
        PrintStream ps = new PrintStream(b = new ByteArrayOutputStream(), true, "UTF-16BE");
        ps.print('x');
        ps.println(new char[] {'y'});
        ps.write(65);
        ps.close();
        ps.println("after");
        System.out.println(b.size() + " " + ps.checkError());
        CharArrayWriter ca = new CharArrayWriter();
        ca.write("chars");
        CharArrayReader cr = new CharArrayReader(ca.toCharArray());
        cr.skip(2);
        System.out.println((char) cr.read() + " " + ca.size());
        StreamTokenizer st = new StreamTokenizer(new StringReader("x = 3.5 + 'q' // c\n y"));
        st.slashSlashComments(true);
        StringBuilder o = new StringBuilder();
        while (st.nextToken() != StreamTokenizer.TT_EOF) o.append(st).append(';');
        System.out.println(o);
        FilterOutputStream upper = new FilterOutputStream(b = new ByteArrayOutputStream()) {
            @Override
            public void write(int c) throws IOException {
                super.write(Character.toUpperCase(c));
            }
        };
        upper.write("filtered".getBytes());
        System.out.println(b);
        System.out.println(new InputStreamReader(InputStream.nullInputStream()).read() + " "
                           + Reader.nullReader().read());
        OutputStream.nullOutputStream().write(1);
        t(() -> {
            InputStream n = InputStream.nullInputStream();
            n.close();
            return n.read();
        });
        t(() -> {
            Reader c = new StringReader("x");
            c.close();
            return c.read();
        });
        InputStream old = System.in;
        PrintStream oo = System.out;
        System.setIn(new ByteArrayInputStream("typed\n".getBytes()));
        System.out.println(new BufferedReader(new InputStreamReader(System.in)).readLine());
        System.setIn(old);
        ByteArrayOutputStream cap = new ByteArrayOutputStream();
        System.setOut(new PrintStream(cap));
        System.out.print("captured");
        System.setOut(oo);
        System.out.println(cap + " " + System.in.read());
        t(() -> new ByteArrayInputStream(new byte[3]).read(new byte[2], 1, 2));
        t(() -> new ByteArrayInputStream(new byte[3]).skip(10));
        t(() -> new BufferedReader(new StringReader(""), 0));
        t(() -> {
            new BufferedInputStream(new ByteArrayInputStream(new byte[9])).reset();
            return 0;
        });
    }
}
