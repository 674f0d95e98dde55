"""Real Java sources: the JDK's own src.zip, a fixed choice of its files."""
import sys
import zipfile

MODULES = {"java.base": ("java.base/java/", "java.base/jdk/internal/"),
           "jdk.compiler": ("jdk.compiler/com/sun/tools/javac/",)}


def names(archive, module):
    found = [n for n in archive.namelist() if n.startswith(MODULES[module]) and n.endswith(".java")
             and not n.endswith(("module-info.java", "package-info.java"))]
    return sorted(found)


def spread(items, count):
    """`count` of the items, evenly spread."""
    if count >= len(items):
        return items
    return [items[i * len(items) // count] for i in range(count)]


def open_archive(jdk):
    path = jdk / "lib/src.zip"
    if not path.exists():
        print(f"{path} is missing (Debian: apt-get install openjdk-17-source)")
        sys.exit(1)
    return zipfile.ZipFile(path)


def extract(jdk, directory, choice):
    """`choice`: {module: count, or None for all}. Returns {module: files}; the module's root is directory / module."""
    archive = open_archive(jdk)
    files = {}
    for module, count in choice.items():
        chosen = names(archive, module)
        if count is not None:
            chosen = spread(chosen, count)
        archive.extractall(directory, chosen)
        files[module] = [str(directory / name) for name in chosen]
    return files
