set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ppc64le)
set(zig_target powerpc64le-linux-musl)
include(${CMAKE_CURRENT_LIST_DIR}/zig.cmake)
