// Character: categories, case mapping, digits, surrogates and names over all of Unicode, folded into hashes.
public class CharacterClasses {
    public static void main(String[] args) {
        long h = 1;
        int letters = 0, digits = 0, upper = 0, space = 0, start = 0;
        for (int c = 0; c < 0x3000; c++) {
            h = h * 31 + Character.getType(c);
            h = h * 31 + Character.toUpperCase(c);
            h = h * 31 + Character.toLowerCase(c);
            if (Character.isLetter(c)) letters++;
            if (Character.isDigit(c)) digits++;
            if (Character.isUpperCase(c)) upper++;
            if (Character.isWhitespace(c)) space++;
            if (Character.isJavaIdentifierStart(c)) start++;
        }
        System.out.println(h + " " + letters + " " + digits + " " + upper + " " + space + " " + start);
        for (int c = 0x10000; c < 0x1f000; c += 251)
            h = h * 31 + Character.getType(c) + Character.charCount(c) + Character.getDirectionality(c);
        System.out.println(h);
        System.out.println(Character.digit('f', 16) + " " + Character.digit('٣', 10) + " " + Character.forDigit(11, 16)
                           + " " + Character.getNumericValue('Ⅷ') + " " + Character.MAX_RADIX);
        System.out.println(Character.isSurrogate('\ud800') + " " + Character.toCodePoint('\ud83d', '\ude00') + " "
                           + (int) Character.highSurrogate(0x1f600) + " " + Character.isSupplementaryCodePoint(0x10000)
                           + " " + Character.toChars(0x1f600).length);
        System.out.println(Character.getName('a') + "; " + Character.getName(0x1f600) + "; "
                           + Character.codePointOf("SNOWMAN") + "; " + Character.UnicodeBlock.of('日') + "; "
                           + Character.UnicodeScript.of('я'));
        System.out.println(Character.isIdeographic(0x65e5) + " " + Character.isMirrored('(') + " "
                           + Character.isISOControl('\n') + " " + Character.isTitleCase('ǅ') + " "
                           + Character.toTitleCase('ǆ'));
        System.out.println(Character.toString(0x1f600).length() + " " + Character.valueOf('a').hashCode() + " "
            + (Character.valueOf('a') == Character.valueOf('a')) + " " + Character.reverseBytes('\u0102'));
        for (char c : "aZ5_ $\t\u00e9\u4e2d\u00a0".toCharArray())
            System.out.print((Character.isLetterOrDigit(c) ? "L" : "-")
                             + (Character.isJavaIdentifierPart(c) ? "I" : "-") + (Character.isSpaceChar(c) ? "S" : "-")
                             + (Character.isWhitespace(c) ? "W" : "-") + (Character.isLowerCase(c) ? "l" : "-") + " ");
        System.out.println();
    }
}
