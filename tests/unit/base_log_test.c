/* Logging: selections, outputs, decorations, rotation, error sentences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/os.h"

static char directory[] = "/tmp/base_log_XXXXXX";

static char *path_of(const char *name) { return mem_printf("%s/%s", directory, name); }

static char *text_of(const char *name) {
    char *path = path_of(name), *text = os_read_text(path, 1 << 20);
    mem_free(path);
    return text;
}

static void assert_matches(const char *pattern, const char *text) {
    regex_t re;
    assert_int_equal(regcomp(&re, pattern, REG_EXTENDED | REG_NEWLINE), 0);
    if (!text || regexec(&re, text, 0, NULL, 0) != 0)
        fail_msg("'%s' does not match %s", text ? text : "(none)", pattern);
    regfree(&re);
}

/* Options go through "-Xlog" as a user writes them; %s is the directory. */
static bool configure(const char *fmt) {
    bool  quit;
    char *text = mem_printf(fmt, directory);
    bool  ok = log_configure(text, &quit);
    mem_free(text);
    return ok;
}

static int start(void **state) {
    (void)state;
    log_init();
    return 0;
}

static int stop(void **state) {
    (void)state;
    log_shutdown();
    return 0;
}

static void test_defaults(void **state) {
    (void)state;
    assert_true(log_enabled(LOG_gc, LOG_WARNING));
    assert_false(log_enabled(LOG_gc, LOG_INFO));
    log_disable();
    assert_false(log_enabled(LOG_gc, LOG_ERROR));
}

static void test_selection(void **state) {
    (void)state;
    assert_true(configure(":class+load=debug,gc*=trace,safepoint=off:file=%s/sel.log"));
    assert_true(log_enabled(LOG_class_load, LOG_DEBUG));
    assert_false(log_enabled(LOG_class_load, LOG_TRACE));
    assert_false(log_enabled(LOG_class_init, LOG_INFO));
    assert_true(log_enabled(LOG_gc, LOG_TRACE));
    assert_true(log_enabled(LOG_gc_heap, LOG_TRACE));
    assert_true(configure(":load+class=off:file=%s/sel.log"));      /* order of tags does not matter */
    assert_false(log_enabled(LOG_class_load, LOG_INFO));
    assert_true(log_enabled(LOG_class_load, LOG_WARNING));          /* by stdout */
    assert_true(configure(":all=info:file=%s/sel.log"));
    assert_true(log_enabled(LOG_jvmti, LOG_INFO));
}

static void test_lines(void **state) {
    (void)state;
    assert_true(configure(":gc*:file=%s/lines.log"));
    log_info(gc, "first");
    log_info(gc_heap, "second\nthird");
    log_error(gc, "fourth");
    char *text = text_of("lines.log");
    assert_matches("^\\[[0-9]+\\.[0-9]{3}s\\]\\[info\\]\\[gc\\] first$", text);
    assert_matches("^\\[[0-9]+\\.[0-9]{3}s\\]\\[info\\]\\[gc,heap\\] second$", text);
    assert_matches("^\\[[0-9]+\\.[0-9]{3}s\\]\\[info\\]\\[gc,heap\\] third$", text);
    assert_matches("^\\[[0-9]+\\.[0-9]{3}s\\]\\[error\\]\\[gc     \\] fourth$", text);
    mem_free(text);
}

static void test_decorators(void **state) {
    (void)state;
    assert_true(configure(":gc:file=%s/decor.log:time,utctime,tm,um,tn,un,hn,p,ti,l,tg"));
    log_info(gc, "x");
    char *text = text_of("decor.log");
    assert_matches("^\\[[0-9-]+T[0-9:.]+[+-][0-9]{4}\\]\\[[0-9-]+T[0-9:.]+\\+0000\\]\\[[0-9]+ms\\]\\[[0-9]+ms\\]"
                   "\\[[0-9]+ns\\]\\[[0-9]+ns\\]\\[[^]]+\\]\\[[0-9]+\\]\\[[0-9]+\\]\\[info\\]\\[gc\\] x$", text);
    mem_free(text);
    assert_true(configure(":gc:file=%s/plain.log:none"));
    log_info(gc, "y");
    text = text_of("plain.log");
    assert_string_equal(text, "y\n");
    mem_free(text);
    assert_true(configure(":gc:file=\"%s/fold:1.log\":none:foldmultilines=true"));
    log_info(gc, "a\\b\nc");
    text = text_of("fold:1.log");
    assert_string_equal(text, "a\\\\b\\nc\n");
    mem_free(text);
}

static void test_rotation(void **state) {
    (void)state;
    assert_true(configure(":gc:file=%s/rot.log:none:filecount=3,filesize=1k"));
    for (int i = 0; i < 100; i++) log_info(gc, "%032d", i);
    char *first = text_of("rot.log.0"), *none = text_of("rot.log.3");
    assert_non_null(first);
    assert_null(none);
    assert_in_range(strlen(first), 1024, 1100);
    mem_free(first);
    /* A new start archives the file that is there, and %p names a file of its own. */
    assert_true(configure(":gc:file=%s/pid-%%p.log:none"));
    log_info(gc, "z");
    char *name = mem_printf("pid-%d.log", (int)os_pid()), *text = text_of(name);
    assert_string_equal(text, "z\n");
    mem_free(text);
    mem_free(name);
}

static void expect_error(const char *output, const char *what, const char *decorators, const char *options,
                         const char *sentence) {
    char *err = NULL;
    assert_false(log_configure_parts(output, what, decorators, options, true, &err));
    assert_string_equal(err, sentence);
    mem_free(err);
}

static void test_errors(void **state) {
    (void)state;
    expect_error(NULL, "foo", NULL, NULL, "Invalid tag 'foo' in log selection.");
    expect_error(NULL, "clas+load", NULL, NULL, "Invalid tag 'clas' in log selection. Did you mean 'class'?");
    expect_error(NULL, "gc+gc", NULL, NULL, "Log selection contains duplicates of tag gc.");
    expect_error(NULL, "gc+", NULL, NULL, "Invalid tag '' in log selection.");
    expect_error(NULL, "gc**", NULL, NULL, "Invalid tag 'gc**' in log selection.");
    expect_error(NULL, "ALL", NULL, NULL, "Invalid tag 'ALL' in log selection.");
    expect_error(NULL, "gc+heap+exit+cpu+age+ref", NULL, NULL,
                 "Too many tags in log selection 'gc' (can only have up to 5 tags).");
    expect_error("#7", "gc", NULL, NULL, "Invalid output index '#7'");
    expect_error(NULL, "gc=inf", NULL, NULL, "Invalid level 'inf' in log selection. Did you mean 'info'?");
    expect_error(NULL, "gc", "time,foo", NULL, "Invalid decorator 'foo'.");
    expect_error("file=/nonexist/x", "gc", NULL, NULL,
                 "Error opening log file '/nonexist/x': No such file or directory\n"
                 "Initialization of output 'file=/nonexist/x' using options '(null)' failed.");
    expect_error("x", "gc", NULL, "filecount=q",
                 "Invalid option: filecount must be in range [0, 1000]\n"
                 "Initialization of output 'file=x' using options 'filecount=q' failed.");
    bool quit;
    log_disable();
    assert_false(log_configure("foo", &quit));
    assert_false(log_configure(":gc:\"file=", &quit));
    assert_true(log_configure("", &quit));
    assert_true(log_enabled(LOG_jni, LOG_INFO));
}

static void test_describe(void **state) {
    (void)state;
    assert_true(configure(":gc=debug:file=%s/d.log"));
    char *text = log_describe();
    assert_matches("^ #0: stdout all=warning uptime,level,tags foldmultilines=false$", text);
    assert_matches("^ #1: stderr all=off uptime,level,tags foldmultilines=false$", text);
    assert_matches("^ #2: file=.*/d.log all=off,gc=debug uptime,level,tags .*filecount=5,filesize=20480K", text);
    mem_free(text);
}

static void test_libraries(void **state) {
    (void)state;
    log_set_library(17);
    assert_true(log_configure_parts(NULL, "biasedlocking", NULL, NULL, true, NULL));
    expect_error(NULL, "fastlock", NULL, NULL, "Invalid tag 'fastlock' in log selection.");
    char *text = log_describe();
    assert_matches("^ #1: stderr all=off uptime,level,tags$", text);
    mem_free(text);
    log_set_library(25);
    assert_true(log_configure_parts(NULL, "FASTLOCK=Off", "Uptime,TG", NULL, true, NULL));
    expect_error(NULL, "biasedlocking", NULL, NULL, "Invalid tag 'biasedlocking' in log selection.");
}

/* While the VM runs: outputs are marked, options are for new ones, a file without levels goes. */
static void test_running(void **state) {
    (void)state;
    char *err = NULL, *text;
    assert_true(configure(":gc=debug:file=%s/first.log"));
    assert_true(log_configure_parts("#2", "gc", NULL, "filecount=2", true, &err));
    assert_null(err);                            /* an index takes no options */
    assert_true(log_configure_parts("stderr", "gc*", NULL, "foldmultilines=true", true, &err));
    assert_string_equal(err, "Output options for existing outputs are ignored.");
    mem_free(err);
    text = log_describe();
    assert_matches("^ #0: stdout all=warning uptime,level,tags foldmultilines=false$", text);
    assert_matches("^ #1: stderr all=off,gc\\*=info uptime,level,tags foldmultilines=false \\(reconfigured\\)$", text);
    assert_matches("^ #2: file=.*/first.log all=off,gc=info .*,filecount=5,.* \\(reconfigured\\)$", text);
    mem_free(text);
    assert_true(log_configure_parts("#2", "all=off", NULL, NULL, true, NULL));
    text = log_describe();
    assert_null(strstr(text, "#2"));
    mem_free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_defaults, start, stop),
        cmocka_unit_test_setup_teardown(test_selection, start, stop),
        cmocka_unit_test_setup_teardown(test_lines, start, stop),
        cmocka_unit_test_setup_teardown(test_decorators, start, stop),
        cmocka_unit_test_setup_teardown(test_rotation, start, stop),
        cmocka_unit_test_setup_teardown(test_errors, start, stop),
        cmocka_unit_test_setup_teardown(test_describe, start, stop),
        cmocka_unit_test_setup_teardown(test_libraries, start, stop),
        cmocka_unit_test_setup_teardown(test_running, start, stop),
    };
    if (!mkdtemp(directory)) return 1;
    int  failed = cmocka_run_group_tests(tests, NULL, NULL);
    char *command = mem_printf("rm -rf %s", directory);
    if (system(command) != 0) failed++;
    mem_free(command);
    return failed;
}
