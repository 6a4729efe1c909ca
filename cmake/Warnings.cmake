# Warnings are errors. GCC, Clang and zig support all of these options.
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wvla
  -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wcast-qual -Werror)
