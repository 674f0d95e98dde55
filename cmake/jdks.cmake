# The JDKs of this machine: JDK_17 and JDK_25 (either may be empty), JDK_VERSIONS (those found, ascending),
# JNI_INCLUDE_DIRS (jni.h and jni_md.h, of the newest).

execute_process(COMMAND ${CMAKE_SOURCE_DIR}/scripts/find_jdks.sh
                OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status)
set(JDK_VERSIONS "")
string(REPLACE "\n" ";" found "${found}")
foreach(line ${found})
    if(line MATCHES "^([0-9]+) (.+)$")
        set(JDK_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
        list(APPEND JDK_VERSIONS ${CMAKE_MATCH_1})
        message(STATUS "JDK ${CMAKE_MATCH_1}: ${CMAKE_MATCH_2}")
    endif()
endforeach()
if(NOT JDK_VERSIONS)
    message(FATAL_ERROR "no JDK 17 or 25 in JAVA_HOME or /usr/lib/jvm "
        "(Debian: apt-get install openjdk-17-jdk; or run ./run.sh)")
endif()
list(GET JDK_VERSIONS -1 JDK_NEWEST)
set(JNI_JDK ${JDK_${JDK_NEWEST}} CACHE PATH "JDK whose jni.h is compiled against")
set(JNI_INCLUDE_DIRS ${JNI_JDK}/include ${JNI_JDK}/include/linux)
