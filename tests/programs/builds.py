"""Builds and what works on class files: Ant, Maven, AspectJ, ProGuard, generators of parsers, checkers."""
from program import Program, jars

LIST = """
package demo;
import java.util.*;
public class Bag<T> {
    private final Map<T, Integer> counts = new TreeMap<>();
    public void add(T t) { counts.merge(t, 1, Integer::sum); }
    public int count(T t) { return counts.getOrDefault(t, 0); }
    public String toString() { return counts.toString(); }
    public static void main(String[] a) {
        Bag<String> b = new Bag<>();
        for (String s : a) b.add(s);
        System.out.println(b);
    }
}
"""
TEST = """
package demo;
import static org.junit.Assert.*;
import org.junit.*;
public class BagTest {
    @Test public void counts() { Bag<String> b = new Bag<>(); b.add("x"); b.add("x"); assertEquals(2, b.count("x")); }
    @Test public void none() { assertEquals(0, new Bag<Integer>().count(1)); }
    @Test(expected = NullPointerException.class) public void refuses() { new Bag<String>().add(null); }
    @Ignore @Test public void later() { fail(); }
    @Test public void wrong() { assertEquals("{}", new Bag<String>().toString() + "!"); }
}
"""
ANT = """
<project default="all" basedir=".">
  <path id="cp"><pathelement path="/usr/share/java/junit4.jar:/usr/share/java/hamcrest-core.jar:classes"/></path>
  <target name="all">
    <mkdir dir="classes"/><mkdir dir="reports"/>
    <javac srcdir="src" destdir="classes" classpathref="cp" includeantruntime="false"/>
    <jar destfile="bag.jar" basedir="classes"/>
    <java jar="bag.jar" fork="true" failonerror="false"/>
    <java classname="demo.Bag" fork="true" classpath="bag.jar"><arg value="b"/><arg value="a"/><arg value="b"/></java>
    <junit fork="true" printsummary="true" haltonfailure="false">
      <classpath refid="cp"/><formatter type="plain" usefile="false"/><test name="demo.BagTest"/>
    </junit>
    <checksum file="src/demo/Bag.java" property="sum" algorithm="SHA-256"/><echo>${sum}</echo>
    <zip destfile="z.zip" basedir="src"/><unzip src="z.zip" dest="unzipped"/>
    <replaceregexp file="unzipped/demo/Bag.java" match="Bag" replace="Sack" flags="g"/>
    <loadfile property="text" srcfile="unzipped/demo/Bag.java"/><echo>${text}</echo>
  </target>
</project>
"""
POM = """
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
  <groupId>demo</groupId><artifactId>bag</artifactId><version>1</version>
  <properties><maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
  <dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version>
    <scope>test</scope></dependency></dependencies>
  <build><plugins>
    <plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.0</version></plugin>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.10.1</version></plugin>
    <plugin><artifactId>maven-surefire-plugin</artifactId><version>2.22.3</version>
      <configuration><testFailureIgnore>true</testFailureIgnore></configuration></plugin>
    <plugin><artifactId>maven-jar-plugin</artifactId><version>3.3.0</version></plugin>
  </plugins></build>
</project>
"""
ASPECT = """
public aspect Trace {
    before(): execution(* demo.Bag.add(..)) { System.out.println("add " + thisJoinPoint.getArgs()[0]); }
    int around(): execution(int demo.Bag.count(..)) { return proceed() + 100; }
}
"""
PROGUARD = """
-injars classes
-outjars out.jar
-keep class demo.Bag { public static void main(java.lang.String[]); }
-dontnote
-dontwarn
-ignorewarnings
-dontoptimize
-verbose
"""
GRAMMAR = """
grammar Calc;
start : expr EOF ;
expr : expr '*' expr | expr '+' expr | INT | '(' expr ')' ;
INT : [0-9]+ ;
WS : [ \\n]+ -> skip ;
"""
LEXER = """
%%
%class Words
%standalone
%%
[a-z]+ { System.out.println("word " + yytext()); }
[0-9]+ { System.out.println("number " + yytext()); }
[^] { }
"""
JAVACC = """
PARSER_BEGIN(Sums)
public class Sums { public static void main(String[] a) throws Exception {
    System.out.println(new Sums(new java.io.StringReader("1+2+39")).sum()); } }
PARSER_END(Sums)
TOKEN : { < N: (["0"-"9"])+ > | < PLUS: "+" > }
int sum() : { int s; Token t; } {
  t=<N> { s = Integer.parseInt(t.image); } ( <PLUS> t=<N> { s += Integer.parseInt(t.image); } )* <EOF> { return s; } }
"""
STYLE = """<?xml version="1.0"?>
<!DOCTYPE module PUBLIC "-//Checkstyle//DTD Checkstyle Configuration 1.3//EN"
 "https://checkstyle.org/dtds/configuration_1_3.dtd">
<module name="Checker"><module name="FileTabCharacter"/><module name="TreeWalker"><module name="MagicNumber"/>
<module name="MethodName"/><module name="MissingJavadocType"><property name="scope" value="private"/></module></module>
</module>
"""
GRADLE = """
apply plugin: 'java'
dependencies { testCompile files('/usr/share/java/junit4.jar', '/usr/share/java/hamcrest.jar') }
test { ignoreFailures = true
       afterTest { t, r -> println "$t.className.$t.name $r.resultType $r.exception" } }
task hello(type: JavaExec) { dependsOn jar; main = 'demo.Bag'; classpath = files(jar); args 'b', 'a', 'b' }
"""
SOURCES = {"src/demo/Bag.java": LIST, "src/demo/BagTest.java": TEST}
# Debian's script asks for the security manager, which 25 no longer has.
ANT_COMMAND = f"java -cp {jars('ant-launcher')} -Dant.home=/usr/share/ant org.apache.tools.ant.launch.Launcher"
ANTLR = jars("antlr4", "antlr4-runtime", "stringtemplate4", "antlr3-runtime", "treelayout", "icu4j")

PROGRAMS = [
    Program("ant", "compiles, packs, forks, runs unit tests, one of which fails", [ANT_COMMAND],
            "Tests run: 5, Failures: 1", ["ant", "ant-optional", "junit4"], files={"build.xml": ANT, **SOURCES},
            changing=[(r"[ \t]*(?:\[(?:java|junit)\][ \t]*)+", "")]),  # by two threads
    Program("maven", "an offline build from Debian's repository: compiles, runs unit tests, packs",
            ["mvn -o -B -q -s /etc/maven/settings-debian.xml package",
             "cat target/surefire-reports/*.txt", "unzip -l target/bag-1.jar | sed -n 's/.* //p' | sort"],
            "Tests run: 5, Failures: 1",
            ["maven", "maven-debian-helper", "libsurefire-java", "junit4", "libmaven-resources-plugin-java",
             "libmaven-jar-plugin-java"],
            files={"pom.xml": POM, "src/main/java/demo/Bag.java": LIST, "src/test/java/demo/BagTest.java": TEST},
            libraries=("17",)),
    Program("gradle", "compiles, packs, forks, runs unit tests, one of which fails; then finds nothing to do",
            [f"gradle --offline --no-daemon --console=plain -g home {t}" for t in ("test hello", "jar")],
            "BagTest.wrong FAILURE", ["gradle", "junit4", "libhamcrest-java"],
            files={"build.gradle": GRADLE, "src/main/java/demo/Bag.java": LIST,
                   "src/test/java/demo/BagTest.java": TEST},
            changing=[(r"(?m)^(OpenJDK 64-Bit Server|Vitrine 64-Bit) VM \(.*\)", "<VM>")],  # its script asks
            libraries=("17",)),
    Program("aspectj", "weaves aspects while it compiles, then into classes that are there",
            ["export JAVA_OPTS=-Xmx128M; ajc -1.8 -d out src/demo/Bag.java Trace.java",
             f"java -cp out:{jars('aspectjrt')} demo.Bag b a",
             "javac -d plain src/demo/Bag.java --release 8 -Xlint:-options",
             "export JAVA_OPTS=-Xmx128M; ajc -1.8 -inpath plain -d woven Trace.java",
             f"java -cp woven:{jars('aspectjrt')} demo.Bag c"],
            "add b", ["aspectj"], files={"Trace.java": ASPECT, **SOURCES}, libraries=("17",)),
    Program("aspectj-64", "the same compilation in the 64 MB of heap that Debian's script gives it",
            ["ajc -1.8 -d out src/demo/Bag.java Trace.java", f"java -cp out:{jars('aspectjrt')} demo.Bag b a"],
            "add b", ["aspectj"], files={"Trace.java": ASPECT, **SOURCES}, libraries=("17",)),
    Program("proguard", "shrinks and obfuscates, then what is left",
            ["javac --release 11 -d classes src/demo/Bag.java", "proguard @rules", "java -cp out.jar demo.Bag b a b",
             "javap -cp out.jar -p demo.Bag"],
            "public void a(java.lang.Object)", ["proguard-cli"], files={"rules": PROGUARD, **SOURCES},
            libraries=("17",)),
    Program("antlr", "generates a parser, compiles it, and shows a tree",
            [f"java -cp {ANTLR} org.antlr.v4.Tool Calc.g4", f"javac -cp {ANTLR} Calc*.java",
             f"echo '2*(3+4)' | java -cp {ANTLR}:. org.antlr.v4.runtime.misc.TestRig Calc start -tree",
             "cat CalcParser.java"],
            "(start (expr (expr 2) * (expr ( (expr (expr 3) + (expr 4)) ))) <EOF>)", ["antlr4"],
            files={"Calc.g4": GRAMMAR}),
    Program("jflex", "generates a lexer, compiles and runs it",
            ["jflex -q words.flex", "javac Words.java", "java Words text", "cat Words.java"], "number 42", ["jflex"],
            files={"words.flex": LEXER, "text": "abc 42 def"}),
    Program("javacc", "generates a parser, compiles and runs it",
            ["javacc Sums.jj", "javac Sums.java", "java Sums"], "\n42\n", ["javacc"], files={"Sums.jj": JAVACC}),
    Program("checkstyle", "checks sources",
            ["checkstyle -c style.xml src/demo/Bag.java src/demo/BagTest.java"], "[MissingJavadocType]", ["checkstyle"],
            files={"style.xml": STYLE, **SOURCES}),
]
