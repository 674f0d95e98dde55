"""Byte Buddy and its agent (Debian's libbyte-buddy-java) change classes alike on HotSpot and on our VM: as -javaagent,
and attached by the program to itself."""
import foreign_agent
import harness

# This version of Byte Buddy knows class files up to JDK 20's; with the property it reads newer ones too.
NEWER = '-Dnet.bytebuddy.experimental=true'

client = foreign_agent.Client('bytebuddy', 'libbyte-buddy-java', ['byte-buddy-agent', 'byte-buddy'])
retransformed = ['hello ANN x3 (5)', 'hello BOB x1099511627776 (5) 3 -2 2', 'original again: / by zero 4', 'entered 2']
client.same('agent', [NEWER, '-javaagent:' + client.jars[0], 'Program'],
            [*retransformed, '43042', '1042042', '<{a+b}>', 'describe[5]=late/5', 'int 1', '7 2',
             '1 greet[sub, 2]=hello sub x2 3', 'threads 3252 false'])
client.same('attached', [NEWER, '-Djdk.attach.allowAttachSelf=true', harness.ATTACH_PATIENCE, 'Program', 'attached'],
            retransformed)
client.finish()
