"""XML, PDF, full text, and tools for the web."""
from program import Program, jars

DATA = "<books>" + "".join(f'<book id="{i}" price="{(i * 37) % 50}"><title>Title {i % 7}</title></book>'
                           for i in range(40)) + "</books>"
STYLE1 = """<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:output method="text"/><xsl:key name="k" match="book" use="title"/>
<xsl:template match="/"><xsl:for-each select="//book"><xsl:sort select="@price" data-type="number"/>
<xsl:value-of select="concat(@id, ' ', title, ' ', @price, '&#10;')"/></xsl:for-each>
<xsl:value-of select="sum(//@price)"/> <xsl:value-of select="count(key('k', 'Title 3'))"/></xsl:template>
</xsl:stylesheet>"""
STYLE2 = """<xsl:stylesheet version="2.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
 xmlns:xs="http://www.w3.org/2001/XMLSchema"><xsl:output indent="yes"/>
<xsl:template match="/"><out><xsl:for-each-group select="//book" group-by="title">
<xsl:sort select="current-grouping-key()"/>
<group title="{current-grouping-key()}" sum="{sum(current-group()/@price/xs:integer(.))}"/></xsl:for-each-group>
<xsl:analyze-string select="'a1b22'" regex="[0-9]+"><xsl:matching-substring><n><xsl:value-of select="."/></n>
</xsl:matching-substring></xsl:analyze-string></out></xsl:template></xsl:stylesheet>"""
QUERY = """for $b in doc("data.xml")//book where xs:integer($b/@price) gt 40 order by xs:integer($b/@id)
return <b>{string($b/@id)}</b>"""
FO = """<fo:root xmlns:fo="http://www.w3.org/1999/XSL/Format"><fo:layout-master-set>
<fo:simple-page-master master-name="p" page-width="10cm" page-height="10cm"><fo:region-body margin="1cm"/>
</fo:simple-page-master></fo:layout-master-set>
<fo:page-sequence master-reference="p"><fo:flow flow-name="xsl-region-body">
""" + "\n".join(f'<fo:block font-family="Helvetica" space-after="4pt">Paragraph {i} with some words that wrap at the '
                'end of a line.</fo:block>' for i in range(30)) + """
</fo:flow></fo:page-sequence></fo:root>"""
LUCENE = """
import java.nio.file.*;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.search.*;
import org.apache.lucene.store.*;
public class Texts {
    public static void main(String[] a) throws Exception {
        String[] words = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split(" ");
        java.util.Random r = new java.util.Random(1);
        Path place = Path.of(a[0]);
        try (Directory d = a[0].equals("mapped") ? new MMapDirectory(place) : new NIOFSDirectory(place)) {
            try (IndexWriter w = new IndexWriter(d, new IndexWriterConfig(new StandardAnalyzer()))) {
                for (int i = 0; i < 3000; i++) {
                    StringBuilder text = new StringBuilder();
                    for (int k = 0; k < 20; k++) text.append(words[r.nextInt(words.length)]).append(' ');
                    Document doc = new Document();
                    doc.add(new TextField("text", text.toString(), Field.Store.YES));
                    doc.add(new NumericDocValuesField("n", i));
                    doc.add(new StringField("id", "" + i, Field.Store.YES));
                    w.addDocument(doc);
                    if (i % 1000 == 999) w.commit();
                }
                w.deleteDocuments(new Term("id", "7"));
                w.forceMerge(1);
            }
            try (DirectoryReader reader = DirectoryReader.open(d)) {
                IndexSearcher s = new IndexSearcher(reader);
                BooleanQuery q = new BooleanQuery.Builder()
                    .add(new TermQuery(new Term("text", "alpha")), BooleanClause.Occur.MUST)
                    .add(new PhraseQuery("text", "beta", "gamma"), BooleanClause.Occur.MUST)
                    .add(new TermQuery(new Term("text", "kappa")), BooleanClause.Occur.MUST_NOT).build();
                TopDocs top = s.search(q, 10);
                System.out.println(reader.numDocs() + " " + s.count(q));
                for (ScoreDoc hit : top.scoreDocs) System.out.println(s.doc(hit.doc).get("id") + " " + hit.score);
                TopDocs sorted = s.search(new PrefixQuery(new Term("text", "ep")), 3,
                                          new Sort(new SortField("n", SortField.Type.LONG, true)));
                for (ScoreDoc hit : sorted.scoreDocs) System.out.println(s.doc(hit.doc).get("id"));
            }
        }
    }
}
"""
LUCENE_PATH = "$(echo /usr/share/java/lucene-core-*.jar):$(echo /usr/share/java/lucene-analyzers-common-*.jar)"
HTML = "<!doctype html><html lang=en><title>x</title><p><b>bold</p></b><img src=x><table><tr><td colspan=0></table>"
SCRIPT = """/** @param {number} n @return {number} */ function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
const unused = 1;
class A { constructor() { this.x = [...'abc'].map(c => c + c); } get y() { return this.x?.length ?? 0; } }
console.log(fib(10), new A().y); async function f() { for await (const x of []) console.log(x); } f();"""

XALAN = f"java -cp {jars('xalan2', 'xercesImpl', 'xml-apis', 'xsltc', 'bcel')} org.apache.xalan.xslt.Process"

PROGRAMS = [
    Program("xalan", "transforms XML (XSLT 1.0, interpreted and compiled)",
            [f"{XALAN} -IN data.xml -XSL s.xsl", f"{XALAN} -XSLTC -IN data.xml -XSL s.xsl"],
            "Title 3", ["libxalan2-java", "libxerces2-java"], files={"data.xml": DATA, "s.xsl": STYLE1}),
    Program("saxon", "transforms (XSLT 2.0) and queries (XQuery) XML",
            [f"java -cp {jars('Saxon-HE')} net.sf.saxon.Transform -s:data.xml -xsl:s.xsl",
             f"java -cp {jars('Saxon-HE')} net.sf.saxon.Query q.xq"], "<n>22</n>", ["libsaxonhe-java"],
            files={"data.xml": DATA, "s.xsl": STYLE2, "q.xq": QUERY}),
    Program("fop", "typesets a document as PDF, as text and as a bitmap; the files are the same but for dates",
            ["fop doc.fo out.pdf",
             "sed -e 's/D:[0-9]*//' -e '/^<<\\|\\/ID/d' out.pdf | strings | grep -v 'ID\\|Date' | head -40",
             "fop doc.fo -txt out.txt", "cat out.txt", "fop doc.fo -png out.png", "cksum out*.png"],
            "Paragraph 29", ["fop"], files={"doc.fo": FO},
            changing=[(r"(?m)^(\w{3} \d+, \d{4}.*|INFO:.*|WARN.*)\n", "")]),
    Program("lucene", "indexes 3,000 texts, deletes, merges, searches; in files and in mapped ones",
            [f"javac -cp {LUCENE_PATH} Texts.java", f"java -cp {LUCENE_PATH}:. Texts mapped",
             f"java -cp {LUCENE_PATH}:. Texts files"], "2999", ["liblucene8-java"], files={"Texts.java": LUCENE}),
    Program("closure-compiler", "minifies a script with advanced optimisations, and translates it to an old language",
            ["java -jar $NPM/google-closure-compiler-java/compiler.jar -O ADVANCED --js in.js",
             "java -jar $NPM/google-closure-compiler-java/compiler.jar --language_out ES5 --js in.js | cksum"],
            "console.log", npm=["google-closure-compiler-java"], files={"in.js": SCRIPT}, libraries=("25",)),
    Program("vnu", "checks a page",
            ["java -jar $NPM/vnu-jar/build/dist/vnu.jar --format text page.html"], "colspan", npm=["vnu-jar"],
            files={"page.html": HTML}),
]
