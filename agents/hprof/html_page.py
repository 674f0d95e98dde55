"""Makes C of html_page.html: python3 html_page.py <page> <output>.

The page says which styles and scripts a browser may run in it: those whose digests stand in its policy, in the place of
@STYLE@ and @SCRIPT@. So nothing in the data that is put into the page can run, whatever it is. The data goes to where
@DATA@ stands."""
import base64
import hashlib
import re
import sys


def digest(text):
    return "'sha256-%s'" % base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def element(page, tag):
    """The contents of the one element without attributes."""
    found = re.findall('<%s>(.*?)</%s>' % (tag, tag), page, re.S)
    if len(found) != 1:
        sys.exit('html_page.py: %d elements <%s>' % (len(found), tag))
    return found[0]


def array(name, text):
    data = text.encode()
    lines = [','.join(map(str, data[i:i + 40])) for i in range(0, len(data), 40)]
    return 'const unsigned char %s[] = {\n%s};\nconst size_t %s_size = sizeof %s;\n' % (name, ',\n'.join(lines), name,
                                                                                        name)


def main(source, target):
    page = open(source, encoding='utf-8').read()
    page = page.replace('@STYLE@', digest(element(page, 'style'))).replace('@SCRIPT@', digest(element(page, 'script')))
    head, tail = page.split('@DATA@')
    with open(target, 'w') as f:
        f.write('#include "html_page.h"\n\n' + array('html_page_head', head) + array('html_page_tail', tail))


main(*sys.argv[1:])
