"""Script engines and compilers of other languages."""
from program import Program, jars

COUNT = """
def fib(n) { n < 2 ? n : fib(n - 1) + fib(n - 2) }
println((1..15).collect { fib(it) })
def words = 'the quick brown fox jumps over the lazy dog'.split(' ')
println(words.groupBy { it.size() }.sort())
class P { String name; int age; String toString() { "$name is $age" } }
println([new P(name: 'a', age: 3), new P(name: 'b', age: 1)].sort { it.age })
try { [].first() } catch (NoSuchElementException e) { println(e.class.name) }
"""
PYTHON = """
import sys
from java.util import ArrayList, TreeMap
from java.lang import Package, Runnable, Thread
class R(Runnable):
    def run(self): print 'ran'
t = Thread(R()); t.start(); t.join()
l = ArrayList([3, 1, 2]); l.sort(None); print l
print sorted((w, len(w)) for w in 'the quick brown fox'.split())
print [p.getName() for p in Package.getPackages() if p.getName() == 'java.util']
def gen(n):
    for i in range(n): yield i * i
print sum(gen(1000)), '%.3f' % (22 / 7.0)
try: ArrayList().get(0)
except Exception, e: print 'java', type(e).__name__
except: print 'java', sys.exc_info()[0].__name__
"""
RUBY = """
require 'java'
java_import 'java.util.TreeMap'
m = TreeMap.new; %w[b a c].each_with_index { |w, i| m.put(w, i) }; puts m
def fib(n) n < 2 ? n : fib(n - 1) + fib(n - 2) end
puts (1..15).map { |n| fib(n) }.inspect
puts [1, 2, 3].lazy.map { |x| x * 2 }.select(&:even?).first(2).inspect
f = Fiber.new { Fiber.yield 1; 2 }; puts f.resume, f.resume
begin; java.util.ArrayList.new.get(0); rescue => e; puts e.class; end
puts "%05.2f %s" % [3.14159, :sym], 2**100, "straße".upcase
t = 4.times.map { |i| Thread.new { i * i } }; puts t.map(&:value).inspect
"""
CLOJURE = """
(defn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(println (map fib (range 15)))
(println (frequencies "mississippi"))
(defprotocol Shape (area [s]))
(defrecord Square [side] Shape (area [s] (* side side)))
(println (area (->Square 3)) (->Square 3))
(println @(future (reduce + (range 1000))) (let [a (atom 0)] (dotimes [_ 10] (swap! a inc)) @a))
(try (/ 1 0) (catch ArithmeticException e (println (.getMessage e))))
(println (sort-by val (into {} (map (juxt identity count) ["ccc" "a" "bb"]))))
(shutdown-agents)
"""
SCALA = """
object Hello {
  sealed trait Tree; case class Leaf(n: Int) extends Tree; case class Node(l: Tree, r: Tree) extends Tree
  def sum(t: Tree): Int = t match { case Leaf(n) => n; case Node(l, r) => sum(l) + sum(r) }
  def main(args: Array[String]): Unit = {
    println(sum(Node(Leaf(1), Node(Leaf(2), Leaf(3)))))
    println((1 to 10).filter(_ % 2 == 0).map(n => n * n).mkString(","))
    println("the quick brown fox".split(" ").groupBy(_.length).toList.sortBy(_._1).map(p => (p._1, p._2.toList)))
    lazy val xs: Stream[BigInt] = BigInt(0) #:: BigInt(1) #:: xs.zip(xs.tail).map(p => p._1 + p._2)
    println(xs(100))
    try { List[Int]().head } catch { case e: NoSuchElementException => println(e.getMessage) }
  }
}
"""
KOTLIN = """
data class P(val name: String, val age: Int)
fun <T> twice(x: T, f: (T) -> T) = f(f(x))
fun main(args: Array<String>) {
    println(listOf(P("a", 3), P("b", 1)).sortedBy { it.age })
    println(twice(3) { it * it })
    println((1..20).filter { it % 3 == 0 }.joinToString())
    val s: String? = null
    println(s?.length ?: -1)
    println(generateSequence(1) { it * 2 }.take(10).toList())
    when (val x: Any = 3.5) { is Int -> println("int") ; is Double -> println("double $x") }
}
"""
SCRIPT = """
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
var a = []; for (var i = 0; i < 15; i++) a.push(fib(i)); print(a.join());
print(JSON.stringify({b: [1, 2, {c: null}], d: 'x'.replace(/x/, 'y')}));
var m = new java.util.TreeMap(); m.put('k', 1); print(m);
try { undefined.f } catch (e) { print(e.name) }
var r = new java.lang.Runnable({ run: function() { print('ran') } });
var t = new java.lang.Thread(r); t.start(); t.join();
"""
LISP = """
(defun fib (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(print (loop for i below 15 collect (fib i)))
(print (jcall "toUpperCase" "abc"))
(compile 'fib)
(print (fib 15))
(print (handler-case (error "x") (error (e) (format nil "caught ~a" e))))
(print (expt 2 100))
"""
BSH = """
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
for (int i = 0; i < 12; i++) System.out.print(fib(i) + " ");
r = new Runnable() { run() { print("ran"); } }; t = new Thread(r); t.start(); t.join();
import java.util.*; m = new TreeMap(); m.put("a", 1); print(m);
try { Object o = null; o.toString(); } catch (Exception e) { print("caught"); }
"""

PROGRAMS = [
    Program("groovy", "a script with closures, classes, GStrings", ["groovy script.groovy"], "[b is 1, a is 3]",
            ["groovy"], files={"script.groovy": COUNT}),
    Program("groovyc", "the compiler, then what it compiled",
            ["groovyc -d out script.groovy", f"java -cp out:{jars('groovy-all')} script"],
            "[b is 1, a is 3]", ["groovy"], files={"script.groovy": COUNT}),
    Program("clojure", "records, protocols, futures, atoms", ["clojure script.clj"], "Divide by zero", ["clojure"],
            files={"script.clj": CLOJURE}),
    Program("scala", "the compiler, then what it compiled",
            ["scalac -nowarn -d . Hello.scala", "scala -cp . Hello"], "354224848179261915075", ["scala"],
            files={"Hello.scala": SCALA}, libraries=("17",)),
    Program("kotlin", "the compiler, then what it compiled",
            ["kotlinc -nowarn hello.kt -d hello.jar", "kotlin -classpath hello.jar HelloKt"], "double 3.5", ["kotlin"],
            files={"hello.kt": KOTLIN}, libraries=("17",)),
    Program("jython", "a script that uses Java's classes and lists packages", ["jython script.py"],
            "java IndexOutOfBoundsException", ["jython"], files={"script.py": PYTHON}),
    Program("jruby", "a script that uses Java's classes, fibers, threads", ["jruby script.rb"],
            "Java::JavaLang::IndexOutOfBoundsException", ["jruby"], files={"script.rb": RUBY}),
    Program("rhino", "JavaScript, compiled and interpreted",
            [f"java -jar {jars('js')} script.js", f"java -jar {jars('js')} -opt -1 script.js"], "TypeError", ["rhino"],
            files={"script.js": SCRIPT}),
    Program("abcl", "Common Lisp", ["abcl --noinform --batch --load script.lisp"], '"caught x"', ["abcl"],
            files={"script.lisp": LISP}),
    Program("beanshell", "a script", [f"java -cp {jars('bsh')} bsh.Interpreter script.bsh"], "caught", ["bsh"],
            files={"script.bsh": BSH}),
]
