// Charsets: encoders and decoders of many kinds, malformed and unmappable input, buffers too small, names and aliases.
import java.nio.*;
import java.nio.charset.*;
import java.util.*;

public class Charsets {
    public static void main(String[] args) throws Exception {
        String t = "Az \u00e9\u00df \u20ac \u65e5\u672c \ud83d\ude00 \u0416 \uffff\0 \ud800x";
        for (String n :
             new String[] {"US-ASCII",    "ISO-8859-1", "UTF-8",        "UTF-16",      "UTF-16BE",  "UTF-16LE",
                           "UTF-32",      "UTF-32LE",   "windows-1252", "ISO-8859-15", "Shift_JIS", "EUC-JP",
                           "ISO-2022-JP", "GBK",        "GB18030",      "Big5",        "EUC-KR",    "KOI8-R",
                           "IBM437",      "IBM037",     "windows-1251", "TIS-620"}) {
            if (!Charset.isSupported(n)) {
                System.out.println(n + " unsupported");
                continue;
            }
            Charset c = Charset.forName(n);
            byte[] b = t.getBytes(c);
            String back = new String(b, c);
            CharsetEncoder e = c.newEncoder();
            System.out.println(c + " " + b.length + " " + Arrays.hashCode(b) + " " + back.hashCode() + " "
                               + e.canEncode('\u20ac') + e.canEncode("\u65e5") + " " + e.maxBytesPerChar() + " "
                               + c.newDecoder().averageCharsPerByte() + " " + c.contains(StandardCharsets.US_ASCII));
        }
        byte[][] bad = {{(byte) 0xC0, (byte) 0x80},
                        {(byte) 0xE4, (byte) 0xBD},
                        {'a', (byte) 0xFF, 'b'},
                        {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
                        {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
                        {(byte) 0xF0, (byte) 0x9F, (byte) 0x98, (byte) 0x80, (byte) 0x80}};
        for (byte[] b : bad) {
            String s = new String(b, StandardCharsets.UTF_8);
            StringBuilder h = new StringBuilder();
            for (char c : s.toCharArray()) h.append(Integer.toHexString(c)).append(' ');
            String ex;
            try {
                ex = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(b)).toString();
            } catch (CharacterCodingException e) {
                ex = e.toString();
            }
            System.out.println(h + ex);
        }
        for (String s : new String[] {"\ud800", "a\u20ac", "ok"}) try {
                System.out.println(StandardCharsets.ISO_8859_1.newEncoder().encode(CharBuffer.wrap(s)));
            } catch (CharacterCodingException e) {
                System.out.println(e);
            }
        CharsetDecoder d =
            StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPLACE).replaceWith("?");
        ByteBuffer in = ByteBuffer.wrap("gr\u00fc\u00dfe \ud83d\ude00".getBytes(StandardCharsets.UTF_8));
        CharBuffer out = CharBuffer.allocate(3);
        StringBuilder all = new StringBuilder();
        for (CoderResult r;;) {
            r = d.decode(in, out, true);
            all.append(out.flip()).append('|').append(r).append(' ');
            out.clear();
            if (r.isUnderflow()) break;
        }
        System.out.println(all.toString().hashCode() + " " + all.length() + " " + d.flush(out));
        try {
            d.decode(in, out, false);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Charset.forName("latin1") + " " + Charset.forName("utf8").aliases().contains("UTF8") + " "
                           + Charset.isSupported("no-such") + Charset.availableCharsets().containsKey("UTF-8") + " "
                           + StandardCharsets.UTF_8.compareTo(StandardCharsets.UTF_16));
        try {
            Charset.forName("no-such");
        } catch (UnsupportedCharsetException e) {
            System.out.println(e);
        }
        try {
            Charset.forName("b d");
        } catch (IllegalCharsetNameException e) {
            System.out.println(e);
        }
        try {
            "x".getBytes("nope");
        } catch (java.io.UnsupportedEncodingException e) {
            System.out.println(e);
        }
        java.io.StringWriter w = new java.io.StringWriter();
        java.io.ByteArrayOutputStream bo = new java.io.ByteArrayOutputStream();
        try (java.io.OutputStreamWriter ow = new java.io.OutputStreamWriter(bo, "UTF-16LE")) {
            ow.write("\u65e5x\ud83d");
            ow.write("\ude00");
        }
        try (java.io.InputStreamReader r =
                 new java.io.InputStreamReader(new java.io.ByteArrayInputStream(bo.toByteArray()), "UTF-16LE")) {
            r.transferTo(w);
            System.out.println(r.getEncoding());
        }
        System.out.println(bo.size() + " " + w.toString().hashCode());
        System.out.println(java.text.Normalizer.normalize("e\u0301\ufb01", java.text.Normalizer.Form.NFKC).length()
                           + " " + java.text.Normalizer.normalize("\u00e9", java.text.Normalizer.Form.NFD).length()
                           + java.text.Normalizer.isNormalized("a", java.text.Normalizer.Form.NFC));
        java.text.BreakIterator bi = java.text.BreakIterator.getWordInstance(Locale.ENGLISH);
        bi.setText("Two words, e\u0301!");
        StringBuilder br = new StringBuilder();
        for (int p = bi.first(); p != java.text.BreakIterator.DONE; p = bi.next()) br.append(p).append(' ');
        System.out.println(br);
        System.out.println(java.text.Collator.getInstance(Locale.GERMAN).compare("\u00e4", "z") + " "
            + "\u00df".toUpperCase(Locale.GERMAN) + "I".toLowerCase(Locale.forLanguageTag("tr")).length()
            + (int) "i".toUpperCase(Locale.forLanguageTag("tr")).charAt(0));
    }
}
