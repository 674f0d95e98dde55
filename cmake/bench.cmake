# The native programs of `make bench`: build/bench-native/. Target: bench.
add_custom_target(bench COMMENT "What only the benchmarks need")

add_agent(bench_jni ${CMAKE_BINARY_DIR}/bench-native bench/native/jni.c)
set_target_properties(bench_jni PROPERTIES EXCLUDE_FROM_ALL TRUE)

add_agent(bench_watch ${CMAKE_BINARY_DIR}/bench-native bench/native/watch_agent.c bench/native/watch_calls.c)
set_target_properties(bench_watch PROPERTIES EXCLUDE_FROM_ALL TRUE)

add_executable(bench_create EXCLUDE_FROM_ALL bench/native/create.c)
target_link_libraries(bench_create PRIVATE warning_flags dl)
target_include_directories(bench_create PRIVATE ${GEN_DIR} ${JNI_INCLUDE_DIRS})
set_target_properties(bench_create PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench-native)
add_dependencies(bench_create generated)
add_dependencies(bench bench_jni bench_watch bench_create)
