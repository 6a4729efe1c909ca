# The glibc that the engine's own library asks for.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(zig_target riscv64-linux-gnu.2.30)
include(${CMAKE_CURRENT_LIST_DIR}/zig.cmake)
