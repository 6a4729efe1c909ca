# The glibc that the engine's own library asks for.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ppc64le)
set(zig_target powerpc64le-linux-gnu.2.22)
include(${CMAKE_CURRENT_LIST_DIR}/zig.cmake)
