"""Diagnostic commands that are not what HotSpot has: ours alone, or declined."""
from pathlib import Path

OWN = {"Compiler.method_data", "Vitrine.agents"}

# Each says in one line why it is not there; docs/declined.md has a row that begins so.
DECLINED = {
    "AOT.end_recording": "Recordings and archives by `jcmd`",
    "Compiler.CodeHeap_Analytics": "Compiler directives, code heap analytics",
    "Compiler.directives_add": "Compiler directives, code heap analytics",
    "Compiler.directives_clear": "Compiler directives, code heap analytics",
    "Compiler.directives_print": "Compiler directives, code heap analytics",
    "Compiler.directives_remove": "Compiler directives, code heap analytics",
    "Compiler.memory": "Compiler directives, code heap analytics",
    "JFR.check": "Recordings and archives by `jcmd`",
    "JFR.configure": "Recordings and archives by `jcmd`",
    "JFR.dump": "Recordings and archives by `jcmd`",
    "JFR.start": "Recordings and archives by `jcmd`",
    "JFR.stop": "Recordings and archives by `jcmd`",
    "JFR.view": "Recordings and archives by `jcmd`",
    "VM.cds": "Recordings and archives by `jcmd`",
    "VM.print_touched_methods": "Recordings and archives by `jcmd`",
}


def without_reason(tests):
    """Declined commands of which docs/declined.md says nothing."""
    text = (Path(tests).parent / "docs/declined.md").read_text(encoding="utf-8")
    return [name for name, row in DECLINED.items() if f"\n| {row}" not in text]
