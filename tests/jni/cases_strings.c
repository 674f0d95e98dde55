/* Strings (JNI specification, chapter 4: "String Operations"). */
#include "jni_cases.h"

static const jchar wide[] = { 'a', 0, 0xe9, 0x20ac, 0xd83d, 0xde00, 0xd800, 'z' };
static void say_bytes(const char *bytes, size_t n) {
    for (size_t k = 0; k < n; k++) say("%02x", (unsigned char)bytes[k]);
}

CASE(NewString, good) { say("%d", J(NewString, wide, 8) != NULL); }
CASE(NewString, bounds) { say("%d %d", J(GetStringLength, J(NewString, wide, 0)), J(NewString, NULL, 0) != NULL); }
CASE(GetStringLength, good) { say("%d", J(GetStringLength, f->text)); }
CASE(GetStringLength, wide) { say("%d", J(GetStringLength, J(NewString, wide, 8))); }
/* The string that AllocObject gives: empty, and every reader says so. */
CASE(GetStringLength, without_value) {
    jstring s = J(AllocObject, J(GetObjectClass, f->text));
    jchar wide_room[2] = {7, 7};
    char room[2] = "x";
    jboolean copy;
    const jchar *units = J(GetStringChars, s, &copy);
    const char *bytes = J(GetStringUTFChars, s, &copy);
    const jchar *critical = J(GetStringCritical, s, NULL);
    say("%d %d %d '%s' %d", J(GetStringLength, s), J(GetStringUTFLength, s), units != NULL, bytes, critical != NULL);
    if (critical) J(ReleaseStringCritical, s, critical);
    if (units) J(ReleaseStringChars, s, units);
    if (bytes) J(ReleaseStringUTFChars, s, bytes);
    J(GetStringRegion, s, 0, 0, wide_room);
    J(GetStringUTFRegion, s, 0, 0, room);
    say("%d %d", wide_room[0], room[0]);
}
CASE_UNDEFINED(GetStringLength, null, "0 | java.lang.NullPointerException") { say("%d", J(GetStringLength, NULL)); }
CASE(GetStringChars, good) {
    jboolean copy = 7;
    const jchar *p = J(GetStringChars, f->text, &copy);
    say("%d %d", p != NULL, copy);
    J(ReleaseStringChars, f->text, p);
}
CASE(GetStringChars, wide) {
    jstring s = J(NewString, wide, 8);
    const jchar *p = J(GetStringChars, s, NULL);
    for (int k = 0; k <= 8; k++) say("%x ", p[k]);
    J(ReleaseStringChars, s, p);
}
CASE_UNDEFINED(GetStringChars, null, "0 | java.lang.NullPointerException") {
    say("%d", J(GetStringChars, NULL, NULL) != NULL);
}
CASE(ReleaseStringChars, good) { J(ReleaseStringChars, f->text, f->chars); }
CASE(ReleaseStringChars, null) { J(ReleaseStringChars, f->text, NULL); }
CASE(NewStringUTF, good) { say("%d", J(NewStringUTF, "text") != NULL); }
CASE(NewStringUTF, null) { say("%d", J(NewStringUTF, NULL) != NULL); }
CASE(NewStringUTF, decoded) {
    static const char *const texts[] = {"",        "ascii", "\xc3\xa9", "\xe2\x82\xac", "\xed\xa0\xbd\xed\xb8\x80",
                                        "\xc0\x80"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        jstring s = J(NewStringUTF, texts[k]);
        const jchar *p = J(GetStringChars, s, NULL);
        for (jsize n = 0; n < J(GetStringLength, s); n++) say("%x ", p[n]);
        J(ReleaseStringChars, s, p);
        say("; ");
    }
}
CASE(GetStringUTFLength, good) { say("%d", J(GetStringUTFLength, f->text)); }
CASE(GetStringUTFLength, wide) { say("%d", J(GetStringUTFLength, J(NewString, wide, 8))); }
CASE_UNDEFINED(GetStringUTFLength, null, "0 | java.lang.NullPointerException") {
    say("%d", J(GetStringUTFLength, NULL));
}
CASE(GetStringUTFLengthAsLong, good) {
    if (J(GetVersion) >= 0x00180000) say("%lld", (long long)J(GetStringUTFLengthAsLong, f->text));
}
CASE(GetStringUTFChars, good) {
    jboolean copy = 7;
    const char *p = J(GetStringUTFChars, f->text, &copy);
    say("%s %d", p, copy);
    J(ReleaseStringUTFChars, f->text, p);
}
CASE(GetStringUTFChars, wide) {
    jstring s = J(NewString, wide, 8);
    const char *p = J(GetStringUTFChars, s, NULL);
    say_bytes(p, strlen(p) + 1);
    J(ReleaseStringUTFChars, s, p);
}
CASE_UNDEFINED(GetStringUTFChars, null, "0 | java.lang.NullPointerException") {
    say("%d", J(GetStringUTFChars, NULL, NULL) != NULL);
}
CASE(ReleaseStringUTFChars, good) { J(ReleaseStringUTFChars, f->text, f->utf); }
CASE(ReleaseStringUTFChars, null) { J(ReleaseStringUTFChars, f->text, NULL); }
CASE(GetStringRegion, good) { jchar b[3]; J(GetStringRegion, f->text, 2, 3, b); say("%x %x %x", b[0], b[1], b[2]); }
CASE(GetStringRegion, all) { jchar b[7]; J(GetStringRegion, f->text, 0, 7, b); say("%x", b[6]); }
CASE(GetStringRegion, nothing_at_end) { J(GetStringRegion, f->text, 7, 0, NULL); }
CASE(GetStringRegion, nothing_behind_end) { J(GetStringRegion, f->text, 8, 0, NULL); }
CASE(GetStringRegion, too_long) { jchar b[9]; J(GetStringRegion, f->text, 5, 3, b); }
CASE(GetStringRegion, overflow) { jchar b[9]; J(GetStringRegion, f->text, INT32_MAX, INT32_MAX, b); }
CASE(GetStringRegion, negative_start) { jchar b[9]; J(GetStringRegion, f->text, -1, 3, b); }
CASE(GetStringRegion, negative_length) { jchar b[9]; J(GetStringRegion, f->text, 1, -3, b); }
CASE_UNDEFINED(GetStringRegion, null, " | java.lang.NullPointerException") {
    jchar b[9];
    J(GetStringRegion, NULL, 0, 0, b);
}
CASE(GetStringUTFRegion, good) { char b[4]; J(GetStringUTFRegion, f->text, 2, 3, b); say("%s", b); }
CASE(GetStringUTFRegion, wide) {
    char b[40];
    memset(b, 0x55, sizeof b);
    J(GetStringUTFRegion, J(NewString, wide, 8), 1, 5, b);
    say_bytes(b, 20);
}
CASE(GetStringUTFRegion, nothing) { char b[4] = "xxx"; J(GetStringUTFRegion, f->text, 7, 0, b); say("%d", b[0]); }
CASE(GetStringUTFRegion, nothing_and_no_buffer) { J(GetStringUTFRegion, f->text, 0, 0, NULL); }
CASE(GetStringUTFRegion, too_long) { char b[40]; J(GetStringUTFRegion, f->text, 5, 3, b); }
CASE(GetStringUTFRegion, negative_start) { char b[40]; J(GetStringUTFRegion, f->text, -1, 3, b); }
CASE(GetStringUTFRegion, negative_length) { char b[40]; J(GetStringUTFRegion, f->text, 1, -3, b); }
CASE_UNDEFINED(GetStringUTFRegion, null, " | java.lang.NullPointerException") {
    char b[40];
    J(GetStringUTFRegion, NULL, 0, 0, b);
}
CASE(GetStringCritical, good) {
    const jchar *p = J(GetStringCritical, f->text, NULL);
    say("%d", p != NULL);
    J(ReleaseStringCritical, f->text, p);
}
CASE(GetStringCritical, contents) {
    jstring s = J(NewString, wide, 8);
    const jchar *p = J(GetStringCritical, s, NULL), *q = J(GetStringCritical, f->text, NULL);
    int sum = 0;
    for (int k = 0; k < 8; k++) sum += p[k];
    for (int k = 0; k < 7; k++) sum += q[k];
    J(ReleaseStringCritical, f->text, q);
    J(ReleaseStringCritical, s, p);
    say("%x", sum);
}
CASE_UNDEFINED(GetStringCritical, null, "0 | java.lang.NullPointerException") {
    say("%d", J(GetStringCritical, NULL, NULL) != NULL);
}
CASE(ReleaseStringCritical, good) {
    f->critical_chars = J(GetStringCritical, f->text, NULL);
    J(ReleaseStringCritical, f->text, f->critical_chars);
}
