set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(zig_target s390x-linux-musl)
include(${CMAKE_CURRENT_LIST_DIR}/zig.cmake)
