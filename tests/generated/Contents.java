import java.io.IOException;
import java.nio.file.Path;

/** Prints how often each instruction occurs in the programs of files: java Contents FILE... */
public final class Contents {
    private static final long[] counts = new long[256];

    private Contents() {}

    public static void main(String[] args) throws IOException {
        for (String file : args)
            ProgramFile.read(Path.of(file), (number, classes) -> classes.values().forEach(Contents::count));
        for (int op = 0; op <= ClassAssembler.opcode("jsr_w"); op++)
            System.out.println(ClassAssembler.mnemonic(op) + " " + counts[op]);
    }

    private static void count(byte[] file) {
        for (ClassModel.Member method : new ClassModel(file).methods) {
            if (method.code() == null) continue;
            byte[] code = method.code().bytes;
            for (int at = 0; at < code.length; at += Opcodes.length(code, at)) {
                counts[code[at] & 255]++;
                if ((code[at] & 255) == ClassAssembler.opcode("wide")) counts[code[at + 1] & 255]++;
            }
        }
    }
}
