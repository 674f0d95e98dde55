/* The option reader: typed results, properties, agents, sources, and the sentences for wrong options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/options.h"

static char output[1 << 20];                     /* what the reader prints, by the vfprintf hook */

static int capture(void *file, const char *fmt, va_list args) {
    size_t n = strlen(output);
    (void)file;
    return vsnprintf(output + n, sizeof output - n, fmt, args);
}

static struct vm_options o;

#define MAX_WORDS 32

/* One reading of words separated by blanks, with the output caught. */
static enum options_result read_options(int library, const char *line) {
    struct option_input in[MAX_WORDS] = { { "vfprintf", (void *)(uintptr_t)capture } };
    char  *copy = mem_strdup(line), *save = NULL;
    size_t n = 1;
    for (char *w = strtok_r(copy, " ", &save); w && n < MAX_WORDS; w = strtok_r(NULL, " ", &save)) in[n++].text = w;
    output[0] = 0;
    log_shutdown();
    options_free(&o);
    log_set_vfprintf_hook(capture);
    enum options_result result = options_parse(&o, library, in, n, false);
    if (result == OPTIONS_OK) result = options_settle(&o);
    log_set_vfprintf_hook(NULL);
    mem_free(copy);
    return result;
}

static void accept(int library, const char *line) {
    if (read_options(library, line) != OPTIONS_OK) fail_msg("%s: %s", line, output);
    assert_string_equal(output, "");
}

static void expect(int library, const char *line, enum options_result result, const char *sentence) {
    assert_int_equal(read_options(library, line), result);
    assert_string_equal(output, sentence);
}

static void test_sizes(void **state) {
    (void)state;
    accept(25, "-Xms20m -Xmx50m -Xss512k -XX:MaxDirectMemorySize=3g");
    assert_int_equal(o.initial_heap, 20 * MIB);
    assert_int_equal(o.min_heap, 20 * MIB);
    assert_int_equal(o.max_heap, 50 * MIB);
    assert_true(o.max_heap_explicit);
    assert_int_equal(o.thread_stack_size, 512 * KIB);
    assert_string_equal(options_property(&o, "sun.nio.MaxDirectMemorySize"), "3221225472");
    accept(17, "-XX:MaxRAM=1g");
    assert_int_equal(o.max_heap, 256 * MIB);
    assert_int_equal(o.initial_heap, 16 * MIB);
    assert_false(o.max_heap_explicit);
    accept(25, "-XX:MaxRAM=1g -XX:MaxRAMPercentage=75 -Xmx0x4000000");
    assert_int_equal(o.max_heap, 64 * MIB);
    accept(25, "-XX:MaxRAM=100m");
    assert_int_equal(o.max_heap, 50 * MIB);
    accept(25, "");
    assert_int_equal(o.thread_stack_size, MIB);
    assert_null(options_property(&o, "sun.nio.MaxDirectMemorySize"));
    uint64_t size;
    assert_true(options_parse_size("12T", &size));
    assert_int_equal(size, 12ull << 40);
    assert_false(options_parse_size("", &size) || options_parse_size("k", &size) || options_parse_size("1kb", &size) ||
                 options_parse_size("-1", &size) || options_parse_size("18446744073709551616", &size) ||
                 options_parse_size("0x", &size) || options_parse_size("99999999999g", &size));
}

static void test_flags(void **state) {
    (void)state;
    accept(25, "-XX:+ExitOnOutOfMemoryError -XX:-UsePerfData -XX:ErrorFile=/x/y -XX:OnError=a -XX:OnError=b");
    assert_true(o.flags.ExitOnOutOfMemoryError);
    assert_false(o.flags.UsePerfData);
    assert_string_equal(o.flags.ErrorFile, "/x/y");
    assert_string_equal(o.flags.OnError, "a\nb");
    int flag = flag_find(&o, "ExitOnOutOfMemoryError", 22);
    assert_int_equal(flag_origin_of(&o, flag), FLAG_COMMAND_LINE);
    assert_string_equal(flag_name(flag), "ExitOnOutOfMemoryError");
    assert_int_equal(flag_find(&o, "UseBiasedLocking", 16), -1);
    accept(17, "");
    assert_true(flag_find(&o, "UseBiasedLocking", 16) >= 0);
    int dump = flag_find(&o, "HeapDumpOnOutOfMemoryError", 26);
    assert_true(flag_is_manageable(&o, dump));
    char *err = NULL, *text;
    assert_true(flag_set_text(&o, dump, "true", FLAG_MANAGEMENT, &err));
    assert_true(o.flags.HeapDumpOnOutOfMemoryError);
    assert_false(flag_set_text(&o, dump, "yes", FLAG_MANAGEMENT, &err));
    text = flag_value_text(&o, dump);
    assert_string_equal(text, "true");
    mem_free(text);
    int ratio = flag_find(&o, "MinHeapFreeRatio", 16);
    assert_false(flag_set_text(&o, ratio, "101", FLAG_MANAGEMENT, &err));
    assert_string_equal(err, "MinHeapFreeRatio error: must have value in range [0...100]");
    mem_free(err);
    accept(25, "-XX:+UnlockDiagnosticVMOptions -XX:+VerifyBeforeGC -XX:CollectEvery=7");
    assert_true(o.flags.VerifyBeforeGC);
    assert_int_equal(o.flags.CollectEvery, 7);
    accept(25, "-XX:+IgnoreUnrecognizedVMOptions -XX:+Foo -XX:Bar=1 -Xfoo --foo");
}

static void test_print_flags(void **state) {
    (void)state;
    assert_int_equal(read_options(17, "-Xmx64m -XX:+PrintFlagsFinal"), OPTIONS_OK);
    assert_non_null(strstr(output, "[Global flags]\n"
                                   "      int ActiveProcessorCount                     = -1                            "
                                   "            {product} {default}\n"));
    assert_non_null(strstr(output, "   size_t MaxHeapSize                              = 67108864                      "
                                   "            {product} {command line}\n"));
    assert_null(strstr(output, "VerifyBeforeGC"));
    assert_null(strstr(output, "CollectEvery"));
    assert_int_equal(read_options(25, "-Xmx64m -XX:+PrintFlagsInitial"), OPTIONS_EXIT);
    assert_non_null(strstr(output, "ccstr AOTCache "));
}

static void test_modules(void **state) {
    (void)state;
    accept(
        25,
        "--add-modules=java.sql --add-modules=ALL-SYSTEM --add-exports=a/b=c --add-opens=d/e=f --add-reads=g=h "
        "--module-path=/m --upgrade-module-path=/u --limit-modules=java.base --patch-module=x=/p --patch-module=y=/q "
        "--enable-native-access=ALL-UNNAMED --illegal-native-access=deny --enable-preview -javaagent:j.jar=opt "
        "-Dcom.sun.management.jmxremote --sun-misc-unsafe-memory-access=deny --finalization=disabled");
    assert_string_equal(options_property(&o, "jdk.module.addmods.0"), "java.sql");
    assert_string_equal(options_property(&o, "jdk.module.addmods.1"), "ALL-SYSTEM");
    assert_string_equal(options_property(&o, "jdk.module.addmods.2"), "java.instrument");
    assert_string_equal(options_property(&o, "jdk.module.addmods.3"), "jdk.management.agent");
    assert_string_equal(options_property(&o, "jdk.module.addexports.0"), "a/b=c");
    assert_string_equal(options_property(&o, "jdk.module.addopens.0"), "d/e=f");
    assert_string_equal(options_property(&o, "jdk.module.addreads.0"), "g=h");
    assert_string_equal(options_property(&o, "jdk.module.path"), "/m");
    assert_string_equal(options_property(&o, "jdk.module.upgrade.path"), "/u");
    assert_string_equal(options_property(&o, "jdk.module.limitmods"), "java.base");
    assert_string_equal(options_property(&o, "jdk.module.patch.1"), "y=/q");
    assert_string_equal(options_property(&o, "jdk.module.enable.native.access.0"), "ALL-UNNAMED");
    assert_string_equal(options_property(&o, "jdk.module.illegal.native.access"), "deny");
    assert_string_equal(options_property(&o, "sun.misc.unsafe.memory.access"), "deny");
    assert_true(o.enable_preview && o.has_module_options && !o.finalization);
    assert_int_equal(o.patch_modules.count, 2);
    assert_int_equal(o.agents.count, 1);
    assert_string_equal(o.agents.data[0].options, "j.jar=opt");
}

static void test_agents_and_assertions(void **state) {
    (void)state;
    accept(17, "-agentlib:a=x=1,y -agentpath:/b.so -Xrunc:opts -javaagent:d.jar -ea:p... -da:p.C -ea -esa");
    assert_int_equal(o.agents.count, 4);
    const struct { enum agent_kind kind; const char *name, *options; } want[] = {
        { AGENT_XRUN, "c", "opts" }, { AGENT_LIB, "a", "x=1,y" }, { AGENT_PATH, "/b.so", NULL },
        { AGENT_JAVA, "instrument", "d.jar" },
    };
    for (int i = 0; i < 4; i++) {
        assert_int_equal(o.agents.data[i].kind, want[i].kind);
        assert_string_equal(o.agents.data[i].name, want[i].name);
        if (want[i].options) assert_string_equal(o.agents.data[i].options, want[i].options);
        else assert_null(o.agents.data[i].options);
    }
    assert_int_equal(o.assertions.count, 2);
    assert_string_equal(o.assertions.data[0].name, "p");
    assert_true(o.assertions.data[0].package && o.assertions.data[0].enable);
    assert_string_equal(o.assertions.data[1].name, "p.C");
    assert_true(!o.assertions.data[1].package && !o.assertions.data[1].enable);
    assert_true(o.user_assertions && o.system_assertions);
}

static void test_properties(void **state) {
    (void)state;
    accept(25,
           "-Da=1 -Db -Dc= -Da=2 -Djava.class.path=x:y -Dsun.java.command=Main -Xbootclasspath/a:p -Xbootclasspath/a:q "
           "-Xint -Xrs -Xcheck:jni -Xverify:all");
    assert_string_equal(options_property(&o, "a"), "2");
    assert_string_equal(options_property(&o, "b"), "");
    assert_string_equal(options_property(&o, "c"), "");
    assert_string_equal(o.java_command, "Main");
    assert_string_equal(o.boot_append, "p:q");
    assert_string_equal(o.properties.data[0].key, "a");
    assert_true(o.mode == VM_MODE_INT && o.reduce_signals && o.check_jni && o.verify_local && o.verify_remote);
    assert_null(strstr(o.jvm_args, "java.class.path"));
    assert_non_null(strstr(o.jvm_args, "-Da=1 -Db -Dc= -Da=2 -Xbootclasspath/a:p"));
    accept(17, "-XX:+UnlockDiagnosticVMOptions -XX:+BytecodeVerificationLocal -XX:-BytecodeVerificationRemote");
    assert_true(o.verify_local && o.verify_remote && o.flags.BytecodeVerificationRemote);
}

static void test_sources(void **state) {
    (void)state;
    char path[] = "/tmp/base_options_XXXXXX";
    int  fd = mkstemp(path);
    const char *text = "-Df1=1 -Df2=\"a b\"\n\t-Df3='c d'e\n-XX:+ExitOnOutOfMemoryError";
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    setenv("JAVA_TOOL_OPTIONS", "-Dx=tool -Dy=\"two words\"", 1);
    setenv("_JAVA_OPTIONS", "-Dx=last", 1);
    char *line = mem_printf("-Dx=given -XX:VMOptionsFile=%s", path);
    assert_int_equal(read_options(25, line), OPTIONS_OK);
    unsetenv("JAVA_TOOL_OPTIONS");
    unsetenv("_JAVA_OPTIONS");
    assert_string_equal(options_property(&o, "x"), "last");
    assert_string_equal(options_property(&o, "y"), "two words");
    assert_string_equal(options_property(&o, "f2"), "a b");
    assert_string_equal(options_property(&o, "f3"), "c de");
    assert_true(o.flags.ExitOnOutOfMemoryError);
    mem_free(line);

    assert_int_equal(ftruncate(fd, 0), 0);
    text = "+UseSerialGC # comment\nMaxHeapSize=100m\n-UseTLAB OnError=\"a b\"\n";
    assert_int_equal(pwrite(fd, text, strlen(text), 0), (ssize_t)strlen(text));
    line = mem_printf("-XX:Flags=%s", path);
    accept(17, line);
    assert_true(o.flags.UseSerialGC && !o.flags.UseTLAB);
    assert_int_equal(o.max_heap, 100 * MIB);
    assert_string_equal(o.flags.OnError, "a b");
    assert_int_equal(flag_origin_of(&o, FLAG_ID_UseSerialGC), FLAG_CONFIG_FILE);
    assert_string_equal(o.jvm_flags, "+UseSerialGC MaxHeapSize=100m -UseTLAB OnError=a b");
    mem_free(line);
    close(fd);
    unlink(path);
}

/* The sentences are HotSpot's, as its two versions print them. */
static void test_sentences(void **state) {
    (void)state;
    expect(17, "-XX:+UseSerialG", OPTIONS_INVALID, "Unrecognized VM option 'UseSerialG'\n");
    expect(25, "-XX:+UseSerialG", OPTIONS_INVALID,
           "Unrecognized VM option 'UseSerialG'\nDid you mean '(+/-)UseSerialGC'?\n");
    expect(25, "-XX:MaxHeapSiz=3", OPTIONS_INVALID,
           "Unrecognized VM option 'MaxHeapSiz=3'\nDid you mean 'MaxHeapSize=<value>'?\n");
    expect(17, "-XX:UseSerialGC=1", OPTIONS_INVALID, "Missing +/- setting for VM option 'UseSerialGC=1'\n");
    expect(17, "-XX:+MaxHeapSize", OPTIONS_INVALID, "Unexpected +/- setting in VM option 'MaxHeapSize'\n");
    expect(17, "-XX:MaxHeapSize", OPTIONS_INVALID, "Improperly specified VM option 'MaxHeapSize'\n");
    expect(17, "-XX:MaxJavaStackTraceDepth=-1", OPTIONS_INVALID,
           "intx MaxJavaStackTraceDepth=-1 is outside the allowed range [ 0 ... 1073741823 ]\n"
           "Improperly specified VM option 'MaxJavaStackTraceDepth=-1'\n");
    expect(25, "-XX:MaxRAMPercentage=101.5", OPTIONS_INVALID,
           "double MaxRAMPercentage=101.500000 is outside the allowed range [ 0.000000 ... 100.000000 ]\n"
           "Improperly specified VM option 'MaxRAMPercentage=101.5'\n");
    expect(17, "-XX:+VerifyBeforeGC", OPTIONS_INVALID,
           "Error: VM option 'VerifyBeforeGC' is diagnostic and must be enabled via -XX:+UnlockDiagnosticVMOptions.\n"
           "Error: The unlock option must precede 'VerifyBeforeGC'.\n");
    expect(17, "-XX:+TraceBytecodes", OPTIONS_INVALID,
           "Error: VM option 'TraceBytecodes' is develop and is available only in debug version of VM.\n");
    expect(25, "-XX:+UseBiasedLocking", OPTIONS_INVALID, "Unrecognized VM option 'UseBiasedLocking'\n");
    expect(17, "-XX:+UseBiasedLocking", OPTIONS_OK,
           "Vitrine 64-Bit VM warning: Option UseBiasedLocking was deprecated in "
           "version 15.0 and will likely be removed in a future release.\n");
    expect(25, "-XX:+ZGenerational", OPTIONS_OK,
           "Vitrine 64-Bit VM warning: Ignoring option ZGenerational; support was removed in 24.0\n");
    expect(25, "-foo", OPTIONS_INVALID, "Unrecognized option: -foo\n");
    expect(17, "-Xfoo", OPTIONS_INVALID, "Unrecognized option: -Xfoo\n");
    expect(17, "--finalization=disabled", OPTIONS_INVALID, "Unrecognized option: --finalization=disabled\n");
    expect(25, "-Xmx12q", OPTIONS_INVALID, "Invalid maximum heap size: -Xmx12q\n");
    expect(25, "-Xms12q", OPTIONS_INVALID, "Invalid initial heap size: -Xms12q\n");
    expect(25, "-Xss2g", OPTIONS_INVALID,
           "Invalid thread stack size: -Xss2g\nThe specified size exceeds the maximum representable size.\n");
    expect(25, "-Xss1k", OPTIONS_ERROR, "\nThe Java thread stack size specified is too small. Specify at least 136k\n");
    expect(25, "-Xmx1k", OPTIONS_ERROR, "Error occurred during initialization of VM\nToo small maximum heap\n");
    expect(17, "-Xms2g -Xmx1g", OPTIONS_ERROR, "Error occurred during initialization of VM\n"
           "Initial heap size set to a larger value than the maximum heap size\n");
    expect(17, "-XX:+UseSerialGC -XX:+UseParallelGC", OPTIONS_ERROR,
           "Error occurred during initialization of VM\nMultiple garbage collectors selected\n");
    expect(25, "-XX:MinHeapFreeRatio=80", OPTIONS_INVALID,
           "MinHeapFreeRatio (80) must be less than or equal to MaxHeapFreeRatio (70)\n"
           "MaxHeapFreeRatio (70) must be greater than or equal to MinHeapFreeRatio (80)\n");
    expect(17, "-XX:MinHeapFreeRatio=80 -XX:MaxHeapFreeRatio=90", OPTIONS_OK, "");
    expect(17, "-Xbootclasspath:foo", OPTIONS_INVALID, "-Xbootclasspath is no longer a supported option.\n");
    expect(17, "--patch-module=foo", OPTIONS_ERROR, "Missing '=' in --patch-module specification\n");
    expect(17, "-Djdk.module.path=/x", OPTIONS_OK,
           "Vitrine 64-Bit VM warning: Ignoring system property options whose names "
           "match the '-Djdk.module.*'. names that are reserved for internal use.\n");
    expect(25, "-XX:VMOptionsFile=/nonexistent", OPTIONS_ERROR, "Could not open options file '/nonexistent'\n");
    expect(25, "-XX:Flags=/nonexistent", OPTIONS_INVALID, "Could not open settings file /nonexistent\n");
    setenv("JAVA_TOOL_OPTIONS", "-Da=\"x", 1);
    expect(25, "", OPTIONS_ERROR, "Picked up JAVA_TOOL_OPTIONS: -Da=\"x\nUnmatched quote in JAVA_TOOL_OPTIONS\n");
    unsetenv("JAVA_TOOL_OPTIONS");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_print_flags),
        cmocka_unit_test(test_modules),
        cmocka_unit_test(test_agents_and_assertions),
        cmocka_unit_test(test_properties),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_sentences),
    };
    unsetenv("JAVA_TOOL_OPTIONS");
    unsetenv("_JAVA_OPTIONS");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    options_free(&o);
    log_shutdown();
    return failed;
}
