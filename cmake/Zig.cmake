# zig's C compiler has every platform's libc inside. The environment names the program, and a row of
# native-stubs/platforms.txt.
set(CMAKE_SYSTEM_NAME $ENV{ZIG_SYSTEM})
set(CMAKE_SYSTEM_PROCESSOR $ENV{ZIG_PROCESSOR})
set(CMAKE_C_COMPILER $ENV{ZIG} cc -target $ENV{ZIG_TARGET})

# Told rather than found out: CMake's trial programs would have zig build a whole libc for each
# platform, minutes where the stubs themselves take a second.
set(CMAKE_C_COMPILER_FORCED TRUE)
set(CMAKE_C_COMPILER_ID_RUN TRUE)
set(CMAKE_C_COMPILER_ID Clang)
set(CMAKE_C_COMPILER_VERSION 18)
set(CMAKE_C_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_C_EXTENSIONS_COMPUTED_DEFAULT ON)
# For the same reason without a compiler runtime, of which the stubs call nothing.
set(CMAKE_SHARED_LINKER_FLAGS_INIT -rtlib=none)

# CMake looks for these tools, and a single shared library does not need them.
set(CMAKE_AR true)
set(CMAKE_RANLIB true)
set(CMAKE_INSTALL_NAME_TOOL true)
