# A warning is an error. GCC and Clang know all of these, also by way of zig.
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wvla
  -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wcast-qual -Werror)
