# Cross-compiles with zig, which contains the libc of every platform. The environment variables have the path
# of zig, and a row of native-stubs/platforms.txt.
set(CMAKE_SYSTEM_NAME $ENV{ZIG_SYSTEM})
set(CMAKE_SYSTEM_PROCESSOR $ENV{ZIG_PROCESSOR})
set(CMAKE_C_COMPILER $ENV{ZIG} cc -target $ENV{ZIG_TARGET})

# Set here, because otherwise CMake compiles trial programs, for which zig builds a libc for each platform:
# that takes minutes, the stubs take a second.
set(CMAKE_C_COMPILER_FORCED TRUE)
set(CMAKE_C_COMPILER_ID_RUN TRUE)
set(CMAKE_C_COMPILER_ID Clang)
set(CMAKE_C_COMPILER_VERSION 18)
set(CMAKE_C_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_C_EXTENSIONS_COMPUTED_DEFAULT ON)
# For the same reason without a compiler runtime: the stubs do not need it.
set(CMAKE_SHARED_LINKER_FLAGS_INIT -rtlib=none)

# CMake searches for these tools, but a single shared library does not need them.
set(CMAKE_AR true)
set(CMAKE_RANLIB true)
set(CMAKE_INSTALL_NAME_TOOL true)
