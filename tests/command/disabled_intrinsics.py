"""-XX:DisableIntrinsic and -XX:ControlIntrinsic: the library's code runs instead of ours. Its code for powers and
exponentials is in classes of their own, which are loaded with its first use. Digests, Base64, ciphers and long numbers
come out the same by either.

What is no id is refused with HotSpot's words. exec/intrinsic_ids.def has the ids of this library's HotSpot, and
exec/intrinsic.def none that no HotSpot has."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness

IMAGE, HOTSPOT, WORK, TESTS = (Path(os.environ[v]) for v in ('IMAGE', 'HOTSPOT', 'WORK', 'TESTS'))
LIBRARY = os.environ['LIBRARY']
SOURCE = TESTS.parent / 'src/exec'
PROGRAM = """
public class Powers {
    public static void main(String[] args) {
        System.out.println(StrictMath.pow(1.5, 2.5) + " " + StrictMath.exp(1.5));
    }
}
"""
# In the modes, too, a cipher that is not the library's own does what it does.
CIPHER = """
package com.sun.crypto.provider;
final class AESCrypt extends SymmetricCipher implements AESConstants {
    private int[] K = new int[44];
    private int limit = 40;
    static boolean isKeySizeValid(int length) { return length == 16; }
    int getBlockSize() { return 16; }
    void init(boolean decrypting, String algorithm, byte[] key) {}
    void encryptBlock(byte[] in, int from, byte[] out, int to) { System.arraycopy(in, from, out, to, 16); }
    void decryptBlock(byte[] in, int from, byte[] out, int to) { encryptBlock(in, from, out, to); }
}
"""
CHAIN = """
public class Chain {
    public static void main(String[] args) throws Exception {
        var chain = javax.crypto.Cipher.getInstance("AES/CBC/NoPadding");
        chain.init(1, new javax.crypto.spec.SecretKeySpec(new byte[16], "AES"),
                   new javax.crypto.spec.IvParameterSpec("0123456789abcdef".getBytes()));
        System.out.print(new String(chain.doFinal(new byte[32])));
    }
}
"""
OUTPUT = '2.7556759606310752 4.4816890703380645'
ROWS = [  # options, which of the two run as the library has them
    ([], ''),
    (['-XX:DisableIntrinsic=_dpow'], 'Pow'),
    (['-XX:DisableIntrinsic=_dsin,_dexp', '-XX:DisableIntrinsic=_dpow'], 'Exp Pow'),
    (['-XX:DisableIntrinsic=_dsin,_string_length'], ''),     # which goes by its function's name
    (['-XX:ControlIntrinsic=-_dexp,+_dpow'], 'Exp'),
    (['-XX:ControlIntrinsic=-_dexp,+_dexp'], ''),
    (['-XX:ControlIntrinsic=+_dexp', '-XX:DisableIntrinsic=_dexp'], 'Exp'),
]

PROGRAMS = {  # differential programs; what they call
    'arithmetic/DigestIntrinsics': '_md5_implCompress,_sha_implCompress,_sha2_implCompress,_sha5_implCompress,'
                                   '_sha3_implCompress,_keccak,_digestBase_implCompressMB',
    'strings/Base64Intrinsics': '_base64_encodeBlock,_base64_decodeBlock',
    'arithmetic/CipherIntrinsics': '_aescrypt_encryptBlock,_aescrypt_decryptBlock,_electronicCodeBook_encryptAESCrypt,'
                                   '_electronicCodeBook_decryptAESCrypt,_cipherBlockChaining_encryptAESCrypt,'
                                   '_cipherBlockChaining_decryptAESCrypt,_counterMode_AESCrypt,_ghash_processBlocks',
    'arithmetic/BigIntegerIntrinsics': '_multiplyToLen,_squareToLen,_mulAdd,_montgomeryMultiply,_montgomerySquare,'
                                       '_bigIntegerLeftShiftWorker,_bigIntegerRightShiftWorker',
}

# Lists, as options: with the unlocking option, then without.
LISTS = [
    *(f'-XX:{flag}={ids}' for flag in ('DisableIntrinsic', 'ControlIntrinsic') for ids in (
        '', ',', '_nosuch', '_DSIN', '-_dsin', '+_dsin', '+_none', '_dsin:_dcos', '_dsin;_dcos', '_dsin\t_dcos')),
    *(f'-XX:DisableIntrinsic={ids}' for ids in (
        '_dsin', '_dsin,_nosuch', '_dsin _nosuch', '_dsin\n_nosuch', ',,_dsin,, _dcos,', ' _dsin', '_arraycopy',
        '_none', '_nosuch,_nosuch2', '_min_strict', '_equalsU')),
    *(f'-XX:ControlIntrinsic={ids}' for ids in (
        '-_dsin,+_dcos', ',+_dsin,,-_dcos,', '+', '-', '+,-', '++_dsin', '_dsin', 'x_dsin', '_dsin,_dcos,+_dtan',
        '+_nosuch', '-_dsin,+_nosuch,-_nosuch2', '+_dsin,dcos', '+_nosuch,_dsin', '+_nosuch,+_dcos,_dsin',
        '_dsin,+_nosuch,_dcos,_dtan', '-_arraycopy')),
    '-XX:DisableIntrinsic', '-XX:ControlIntrinsic', '-XX:+DisableIntrinsic', '-XX:-ControlIntrinsic',
]
SEVERAL = [
    ['-XX:DisableIntrinsic=_n1,_n2', '-XX:ControlIntrinsic=-_n3,-_n4'],
    ['-XX:ControlIntrinsic=-_dsin', '-XX:ControlIntrinsic=-_n1', '-XX:ControlIntrinsic=-_n2'],
    ['-XX:DisableIntrinsic=_dsin', '-XX:DisableIntrinsic=_n1'],
    ['-XX:+NoSuchFlag', '-XX:DisableIntrinsic=_nosuch'],
]
UNLOCK = '-XX:+UnlockDiagnosticVMOptions'


def said(java, options):
    """How it ends, and what is said of the options. HotSpot repeats a warning each time it reads a list."""
    outcome = harness.run([*harness.java(java), *options, '-version'], WORK, 60 * harness.time_scale(),
                          ours=java != HOTSPOT)
    lines = harness.normalise(outcome.out + outcome.err, []).splitlines()
    kept = [line for line in lines if re.search('ntrinsic|warning|Error|rror:|option', line)]
    return [outcome.ended(), *dict.fromkeys(kept)]


def hotspots_table():
    """HotSpot's ids: strings one behind the other."""
    library = (HOTSPOT / 'lib/server/libjvm.so').read_bytes()
    found = max((run for run in re.findall(rb'(?:_[A-Za-z]\w*\0){100,}', library) if b'\0_getClass\0' in run), key=len)
    return set(found.decode().split('\0')[:-1])


def table_faults():
    """Are the tables of ids as HotSpot's?"""
    rows = re.findall(r'\b(BOTH|ONLY_17|ONLY_25)\((_\w+)\)', (SOURCE / 'intrinsic_ids.def').read_text())
    ours = {name for of, name in rows if of in ('BOTH', f'ONLY_{LIBRARY}')}
    theirs = hotspots_table()
    if ours != theirs or len(rows) != len({name for _, name in rows}):
        yield f'intrinsic_ids.def lacks {sorted(theirs - ours)}, has more: {sorted(ours - theirs)}'
    every = {name for _, name in rows}
    used = set(re.findall(r'"(_\w+)"', (SOURCE / 'intrinsic.def').read_text()))
    if not used or used - every:
        yield f'ids of intrinsic.def that HotSpot does not have: {sorted(used - every)}'
    for java in HOTSPOT, IMAGE:
        answer = said(java, [UNLOCK, '-XX:DisableIntrinsic=' + ','.join(sorted(ours)),
                             '-XX:ControlIntrinsic=' + ','.join('+' + name for name in sorted(ours))])
        if answer != ['exit 0']:
            yield f'all ids: {java}: {answer}'


def spelling_faults():
    lists = [[UNLOCK, option] for option in LISTS] + [[UNLOCK, *options] for options in SEVERAL]
    lists += [['-XX:DisableIntrinsic=_dsin'], ['-XX:ControlIntrinsic=+_nosuch'], ['-XX:DisableIntrinsic='],
              ['-XX:+IgnoreUnrecognizedVMOptions', '-XX:ControlIntrinsic=+_nosuch']]
    for options in lists:
        expected, actual = said(HOTSPOT, options), said(IMAGE, options)
        if expected != actual:
            yield f'{options}: HotSpot {expected}, ours {actual}'


def effect_faults():
    (WORK / 'Powers.java').write_text(PROGRAM)
    subprocess.run([*harness.javac(HOTSPOT), '-d', WORK, WORK / 'Powers.java'], check=True)
    for options, want in ROWS:
        command = [*harness.java(IMAGE), UNLOCK, *options, '-Xlog:class+load', '-cp', WORK, 'Powers']
        run = subprocess.run(command, capture_output=True, text=True, timeout=60 * harness.time_scale(),
                             env=harness.environment(True))
        loaded = ' '.join(name for name in ('Exp', 'Pow') if f'java.lang.FdLibm${name} ' in run.stdout)
        if run.returncode != 0 or OUTPUT not in run.stdout or loaded != want:
            yield (f'{options}: exit {run.returncode}, loaded "{loaded}", wanted "{want}"\n'
                   f'{run.stdout[-300:]}{run.stderr[-1000:]}')


def patched_faults():
    patch = WORK / 'patch'
    patch.mkdir(exist_ok=True)
    for name, text, options in [('AESCrypt', CIPHER, ['--patch-module', f'java.base={patch}', '-d', patch]),
                                ('Chain', CHAIN, ['-d', WORK])]:
        (patch / f'{name}.java').write_text(text)
        subprocess.run([*harness.javac(HOTSPOT), *options, patch / f'{name}.java'], check=True)
    run = harness.run([*harness.java(IMAGE), '--patch-module', f'java.base={patch}', '-cp', WORK, 'Chain'], WORK,
                      60 * harness.time_scale(), ours=True)
    if run.out != 2 * b'0123456789abcdef':
        yield f'a patched cipher: {run.ended()} {run.out} {run.err[-500:]}'


def program_faults():
    for program, ids in PROGRAMS.items():
        source = TESTS / f'differential/{program}.java'
        opened = source.with_suffix('.args').read_text().splitlines()[0].split()
        subprocess.run([*harness.javac(HOTSPOT), '-d', WORK, source], check=True)
        runs = [harness.run([*harness.java(IMAGE), *opened, *options, '-cp', WORK, source.stem], WORK,
                            240 * harness.time_scale(), ours=True)
                for options in ([], [UNLOCK, f'-XX:DisableIntrinsic={ids}'])]
        if runs[0].out != runs[1].out or [run.ended() for run in runs] != ['exit 0'] * 2:
            yield (f'{program}: {runs[0].ended()}, without our functions {runs[1].ended()}\n' +
                   '\n'.join(str(run.out + run.err, 'utf-8') for run in runs))


WORK.mkdir(parents=True, exist_ok=True)
failures = [*table_faults(), *spelling_faults(), *effect_faults(), *patched_faults(), *program_faults()]
print('\n'.join(failures))
sys.exit(bool(failures))
