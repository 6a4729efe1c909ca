set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(zig_target riscv64-linux-musl)
include(${CMAKE_CURRENT_LIST_DIR}/zig.cmake)
