#!/usr/bin/env python3
"""The manual page of an agent, made of the text that its option `help` prints.

usage: agent_page.py NAME SUMMARY SOURCE > vitrine-NAME.7

SOURCE is the C file with the string options_help or options_usage.
"""
import ast
import re
import sys

PAGE = """.TH VITRINE-{upper} 7 "" "Vitrine" "Agents"
.SH NAME
vitrine-{name} \\- {summary}
.SH SYNOPSIS
.B java \\-agentlib:{name}
[=option,...]
.I program
.SH DESCRIPTION
.I lib{name}.so
is an ordinary JVM TI agent. Vitrine finds it by its name; other virtual machines load it by
.BR \\-agentpath:PREFIX/lib/vitrine/lib{name}.so .
.PP
.nf
{text}
.fi
.SH SEE ALSO
.BR vitrine (1),
.IR PREFIX/share/doc/vitrine
"""


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    name, summary, source = sys.argv[1:]
    with open(source) as file:
        literals = re.search(r'options_(?:help|usage)\[\] =((?:\s*"(?:[^"\\]|\\.)*")+);', file.read())[1]
    text = "".join(ast.literal_eval(s) for s in re.findall(r'"(?:[^"\\]|\\.)*"', literals))
    text = text.strip().replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"(?m)^([.'])", r"\\&\1", text)
    print(PAGE.format(name=name, upper=name.upper(), summary=summary, text=text), end="")


main()
