"""AspectJ's load-time weaver (Debian's libaspectj-java) gives the same woven program on HotSpot and on our VM."""
import shutil

import foreign_agent

client = foreign_agent.Client('aspectj', 'libaspectj-java', ['aspectjweaver', 'aspectjrt'])
shutil.copytree(client.sources / 'META-INF', client.classes / 'META-INF')
# The weaver defines its helper classes with ClassLoader.defineClass, which JDK 17 and later hide from it.
client.same('weaver', ['--add-opens', 'java.base/java.lang=ALL-UNNAMED', '-javaagent:' + client.jars[0], 'Woven'],
            ['made [ann] line 17', 'before Woven.Account.deposit(..) 7 of ann:10', 'threw amount -1',
             'mixed in: [interface java.lang.Comparable] true',
             '12000', '215.25', 'handled For input string: "x"', 'sum 2646900',
             'tally {Account initialised=1, factorial=4, get of opened=2, inner below outer=1, slow=201}'])
client.finish()
