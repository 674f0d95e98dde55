// The library's XML parsers: DOM, SAX, StAX, XPath, serialisation and the messages for documents that are not well
// formed.
import java.io.*;
import javax.xml.parsers.*;
import javax.xml.stream.*;
import javax.xml.xpath.*;
import org.w3c.dom.*;
import org.xml.sax.*;
import org.xml.sax.helpers.DefaultHandler;

public class XmlProcessing {
    public static void main(String[] args) throws Exception {
        String xml =
            "<?xml version='1.0'?><!DOCTYPE r [<!ENTITY e 'entity'>]><r xmlns:n='urn:n' a='1'><!-- c --><n:x "
                + "id='p'>text &e; &amp; &#65;</n:x><x id='q'><![CDATA[<raw>]]></x><?pi data?></r>";
        DocumentBuilderFactory f = DocumentBuilderFactory.newInstance();
        f.setNamespaceAware(true);
        Document d = f.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
        Element root = d.getDocumentElement();
        System.out.println(root.getTagName() + " " + root.getAttribute("a") + " " + root.getChildNodes().getLength()
                           + " " + root.getTextContent() + " "
                           + d.getElementsByTagNameNS("urn:n", "x").item(0).getLocalName());
        XPath xp = XPathFactory.newInstance().newXPath();
        System.out.println(xp.evaluate("count(//*[@id])", d) + " " + xp.evaluate("//x/@id", d) + " "
                           + xp.evaluate("string-length(/r)", d));
        StringBuilder b = new StringBuilder();
        SAXParserFactory.newInstance().newSAXParser().parse(new ByteArrayInputStream(xml.getBytes("UTF-8")),
                                                            new DefaultHandler() {
                                                                @Override
                                                                public void startElement(String u, String l, String q,
                                                                                         Attributes a) {
                                                                    b.append('<').append(q).append(a.getLength());
                                                                }
                                                                @Override
                                                                public void endElement(String u, String l, String q) {
                                                                    b.append('>');
                                                                }
                                                                @Override
                                                                public void characters(char[] c, int s, int n) {
                                                                    b.append(c, s, n);
                                                                }
                                                                @Override
                                                                public void processingInstruction(String t, String x) {
                                                                    b.append('?').append(t);
                                                                }
                                                            });
        System.out.println(b);
        XMLStreamReader r = XMLInputFactory.newInstance().createXMLStreamReader(new StringReader("<a b='c'>t<d/></a>"));
        StringBuilder e = new StringBuilder();
        while (r.hasNext()) e.append(r.next()).append(r.hasName() ? r.getLocalName() : "").append(' ');
        System.out.println(e);
        StringWriter w = new StringWriter();
        XMLStreamWriter sw = XMLOutputFactory.newInstance().createXMLStreamWriter(w);
        sw.writeStartDocument();
        sw.writeStartElement("out");
        sw.writeAttribute("q", "a\"<b");
        sw.writeCharacters("x < y & z");
        sw.writeEmptyElement("e");
        sw.writeEndDocument();
        System.out.println(w);
        for (String bad :
             new String[] {"<a>", "<a></b>", "text", "<a b=c/>", "<a>&none;</a>", "<a/><b/>", "", "<1/>"}) {
            try {
                DocumentBuilder db = f.newDocumentBuilder();
                db.setErrorHandler(null);
                db.setErrorHandler(new DefaultHandler());
                db.parse(new InputSource(new StringReader(bad)));
                System.out.println("well formed");
            } catch (SAXParseException x) {
                System.out.println(x.getLineNumber() + ":" + x.getColumnNumber() + " " + x.getMessage());
            }
        }
    }
}
