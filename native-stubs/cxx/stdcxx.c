/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/* The symbols of libstdc++.so.6 that the C++ stubs may call: linked against by cross-compilers, never loaded. */

#define SYMBOL(name) void name(void) {}

SYMBOL(_ZdaPv) /* operator delete[](void*) */
SYMBOL(_ZdlPv) /* operator delete(void*) */
SYMBOL(_Znam)  /* operator new[](size_t) */
SYMBOL(_Znwm)  /* operator new(size_t) */
SYMBOL(_ZSt9terminatev)
SYMBOL(__cxa_begin_catch)
SYMBOL(__cxa_end_catch)
SYMBOL(__cxa_pure_virtual)
SYMBOL(__cxa_rethrow)
SYMBOL(__gxx_personality_v0)
