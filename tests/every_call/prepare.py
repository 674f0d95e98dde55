"""Compiles the Java side of the agent every_call, for both of its tests."""
import os
import subprocess
import zipfile

import harness


def prepare(jdk, tests, work):
    """The directory of the classes, and a JAR without classes."""
    classes, jar, directory = os.path.join(work, 'classes'), os.path.join(work, 'nothing.jar'), os.path.join(tests,
                                                                                                           'every_call')
    os.makedirs(classes, exist_ok=True)
    sources = [os.path.join(directory, f) for f in sorted(os.listdir(directory)) if f.endswith('.java')]
    subprocess.run([*harness.javac(jdk), '-g', '-d', classes, *sources], check=True)
    subprocess.run([*harness.javac(jdk), '-g:none', '-d', classes, os.path.join(directory, 'Stripped.java')],
                   check=True)
    with zipfile.ZipFile(jar, 'w') as z:
        z.writestr('nothing.txt', '')
    return classes, jar
