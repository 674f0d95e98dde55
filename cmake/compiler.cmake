# Compiler and linker flags, collected in the interface target `jvm_flags`.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# The flags below are the whole truth; CMake's build types would only add to them.
set(CMAKE_BUILD_TYPE "" CACHE STRING "unused" FORCE)

add_library(warning_flags INTERFACE)
target_compile_definitions(warning_flags INTERFACE _GNU_SOURCE)
target_compile_options(warning_flags INTERFACE -Wall -Wextra -Werror -g)

add_library(jvm_flags INTERFACE)
target_link_libraries(jvm_flags INTERFACE warning_flags ffi z dl pthread m)
target_compile_options(jvm_flags INTERFACE
    -fvisibility=hidden
    -ftls-model=initial-exec        # the current thread is one load away; libjvm.so is opened at start-up
    -fno-strict-aliasing            # objects and frame slots are read in several types
    -fwrapv                         # Java arithmetic wraps
    -ffp-contract=off               # Java floating point is strict
    -fno-omit-frame-pointer)        # profilers see through us
target_link_options(jvm_flags INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)

if(VITRINE_ASAN OR VITRINE_CHECK OR VITRINE_COVERAGE)
    # At -O1, or with counters in between, gcc does not see through the calls that initialise what it warns of.
    target_compile_options(warning_flags INTERFACE -Wno-maybe-uninitialized)
endif()
if(VITRINE_ASAN)
    # A target with the property VITRINE_PLAIN does without: HotSpot can load it.
    set(sanitized $<NOT:$<BOOL:$<TARGET_PROPERTY:VITRINE_PLAIN>>>)
    target_compile_definitions(warning_flags INTERFACE VITRINE_ASAN)
    target_compile_options(warning_flags INTERFACE -O1 $<${sanitized}:-fsanitize=address,undefined>
        $<${sanitized}:-fno-sanitize-recover=undefined>)
    target_link_options(warning_flags INTERFACE $<${sanitized}:-fsanitize=address,undefined>)
    if(CMAKE_C_COMPILER_ID MATCHES Clang)
        target_link_options(warning_flags INTERFACE $<${sanitized}:-shared-libsan>)
    endif()
elseif(VITRINE_FUZZ)
    target_compile_options(warning_flags INTERFACE -O1 -fsanitize=fuzzer-no-link,address,undefined
        -fno-sanitize-recover=undefined)
    target_link_options(warning_flags INTERFACE -fsanitize=address,undefined)
elseif(VITRINE_CHECK)
    target_compile_options(warning_flags INTERFACE -O1)
else()
    target_compile_options(warning_flags INTERFACE -O2)
endif()
if(VITRINE_COVERAGE)
    target_compile_definitions(warning_flags INTERFACE VITRINE_COVERAGE)
    target_compile_options(warning_flags INTERFACE --coverage -fprofile-update=atomic)
    target_link_options(warning_flags INTERFACE --coverage)
endif()
if(VITRINE_CHECK)
    target_compile_definitions(warning_flags INTERFACE VITRINE_CHECK)
endif()
if(VITRINE_CHECK OR VITRINE_CARDS)
    target_compile_definitions(warning_flags INTERFACE VITRINE_CARDS)
endif()
if(NOT VITRINE_ASAN AND NOT VITRINE_FUZZ)
    target_link_options(jvm_flags INTERFACE -Wl,--no-undefined)
endif()
