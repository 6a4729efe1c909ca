# Cross-compiles with zig, which contains the libc of every platform. The environment variables have the path
# of zig, and a row of native-stubs/platforms.txt.
set(CMAKE_SYSTEM_NAME $ENV{ZIG_SYSTEM})
set(CMAKE_SYSTEM_PROCESSOR $ENV{ZIG_PROCESSOR})
set(CMAKE_C_COMPILER $ENV{ZIG} cc -target $ENV{ZIG_TARGET})
set(CMAKE_CXX_COMPILER $ENV{ZIG} c++ -target $ENV{ZIG_TARGET})

# Set here, because otherwise CMake compiles trial programs, for which zig builds a libc for each platform:
# that takes minutes, the stubs take a second.
foreach(language IN ITEMS C CXX)
  set(CMAKE_${language}_COMPILER_FORCED TRUE)
  set(CMAKE_${language}_COMPILER_ID_RUN TRUE)
  set(CMAKE_${language}_COMPILER_ID Clang)
  set(CMAKE_${language}_COMPILER_VERSION 18)
  set(CMAKE_${language}_STANDARD_COMPUTED_DEFAULT 17)
  set(CMAKE_${language}_EXTENSIONS_COMPUTED_DEFAULT ON)
endforeach()
# For the same reason without a compiler runtime: the stubs do not need it.
set(CMAKE_SHARED_LINKER_FLAGS_INIT -rtlib=none)

# CMake searches for these tools, but a single shared library does not need them.
set(CMAKE_AR true)
set(CMAKE_RANLIB true)
set(CMAKE_INSTALL_NAME_TOOL true)
