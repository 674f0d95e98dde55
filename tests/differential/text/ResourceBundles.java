// Resource bundles by class and property file, parents, locales, missing keys; locales themselves.
import java.nio.file.*;
import java.util.*;

public class ResourceBundles {
    public static class Msg extends ListResourceBundle {
        @Override
        protected Object[][] getContents() {
            return new Object[][] {{"hello", "hello"}, {"only", "root only"}, {"array", new String[] {"a", "b"}}};
        }
    }
    public static class Msg_de extends ListResourceBundle {
        @Override
        protected Object[][] getContents() {
            return new Object[][] {{"hello", "hallo"}};
        }
    }
    public static class Msg_de_AT extends ListResourceBundle {
        @Override
        protected Object[][] getContents() {
            return new Object[][] {{"hello", "servus"}};
        }
    }

    public static void main(String[] args) throws Exception {
        Locale.setDefault(Locale.ROOT);
        for (String tag : new String[] {"en", "de", "de-AT", "de-CH", "fr"}) {
            ResourceBundle b = ResourceBundle.getBundle("ResourceBundles$Msg", Locale.forLanguageTag(tag));
            System.out.println(tag + " " + b.getString("hello") + " " + b.getString("only") + " "
                               + b.getStringArray("array").length + " [" + b.getLocale() + "] "
                               + new TreeSet<>(b.keySet()));
        }
        try {
            ResourceBundle.getBundle("ResourceBundles$Msg").getString("none");
        } catch (MissingResourceException e) {
            System.out.println(e.getMessage() + " " + e.getKey());
        }
        try {
            ResourceBundle.getBundle("no.such.Bundle");
        } catch (MissingResourceException e) {
            System.out.println(e.getMessage());
        }
        try {
            ResourceBundle.getBundle("ResourceBundles$Msg").getString("array");
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        Path dir = Files.createTempDirectory(Path.of(""), "bun");
        try {
            Files.writeString(dir.resolve("p.properties"), "k=root\nr=only");
            Files.writeString(dir.resolve("p_fr_CA.properties"), "k=qu\\u00e9bec");
            try (var l = new java.net.URLClassLoader(new java.net.URL[] {dir.toUri().toURL()})) {
                ResourceBundle b = ResourceBundle.getBundle("p", Locale.CANADA_FRENCH, l);
                System.out.println(b.getString("k").length() + b.getString("r") + b.getLocale()
                                   + (ResourceBundle.getBundle("p", Locale.CANADA_FRENCH, l) == b));
            }
        } finally {
            try (var s = Files.walk(dir)) {
                for (Path p : s.sorted(Comparator.reverseOrder()).toList()) Files.delete(p);
            }
        }
        Locale l = Locale.forLanguageTag("zh-Hant-TW-x-private");
        System.out.println(
            l + " " + l.getScript() + l.getCountry() + " " + l.toLanguageTag() + " "
            + l.getDisplayLanguage(Locale.ENGLISH) + "/" + l.getDisplayCountry(Locale.ENGLISH) + " "
            + Locale.JAPAN.getISO3Country() + new Locale.Builder().setLanguage("sr").setScript("Latn").build() + " "
            + Locale.lookup(Locale.LanguageRange.parse("fr-CA,en;q=0.5"), List.of(Locale.ENGLISH, Locale.FRENCH))
            + Locale.getISOCountries().length / 100);
        try {
            new Locale.Builder().setLanguage("toolonglanguage");
        } catch (IllformedLocaleException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Currency.getInstance("EUR").getDefaultFractionDigits()
                           + Currency.getInstance(Locale.JAPAN).getCurrencyCode() + " "
                           + Currency.getInstance("USD").getSymbol(Locale.US));
        try {
            Currency.getInstance("XYZZ");
        } catch (IllegalArgumentException e) {
            System.out.println("no currency");
        }
    }
}
