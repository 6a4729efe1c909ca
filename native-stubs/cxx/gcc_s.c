/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/* The symbol of libgcc_s.so.1 that the C++ stubs may call: linked against by cross-compilers, never loaded. */

void _Unwind_Resume(void);

void _Unwind_Resume(void) {}
