# What a program that embeds the VM finds it by: build/cmake/vitrine-config.cmake and build/pkgconfig/vitrine.pc.
configure_file(${CMAKE_SOURCE_DIR}/cmake/vitrine-config.cmake.in ${CMAKE_BINARY_DIR}/cmake/vitrine-config.cmake @ONLY)
configure_file(${CMAKE_SOURCE_DIR}/cmake/vitrine.pc.in ${CMAKE_BINARY_DIR}/pkgconfig/vitrine.pc @ONLY)
