import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Programs in a file, one behind the other: u4 number, u2 number of classes, for each UTF name, u4 length, bytes. The
 * class that runs comes first.
 */
public final class ProgramFile {
    private ProgramFile() {}

    /** Writes the class files of one program: java ProgramFile FILE NUMBER DIRECTORY */
    public static void main(String[] args) throws IOException {
        Path directory = Files.createDirectories(Path.of(args[2]));
        read(Path.of(args[0]), (number, classes) -> {
            if (number != Integer.parseInt(args[1])) return;
            for (Map.Entry<String, byte[]> c : classes.entrySet())
                Files.write(directory.resolve(c.getKey() + ".class"), c.getValue());
        });
    }

    /** Who gets them. */
    interface Reader {
        /** One program, whose classes are in this order. */
        void program(int number, Map<String, byte[]> classes) throws IOException;
    }

    static void write(DataOutputStream out, int number, Map<String, byte[]> classes) throws IOException {
        out.writeInt(number);
        out.writeShort(classes.size());
        for (Map.Entry<String, byte[]> c : classes.entrySet()) {
            out.writeUTF(c.getKey());
            out.writeInt(c.getValue().length);
            out.write(c.getValue());
        }
    }

    static void read(Path file, Reader reader) throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            while (in.available() > 0) {
                int number = in.readInt();
                Map<String, byte[]> classes = new LinkedHashMap<>();
                for (int n = in.readUnsignedShort(); n > 0; n--) {
                    String name = in.readUTF();
                    byte[] bytes = new byte[in.readInt()];
                    in.readFully(bytes);
                    classes.put(name, bytes);
                }
                reader.program(number, classes);
            }
        }
    }
}
