/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#ifndef CXX_ENGINE_H
#define CXX_ENGINE_H

#include "rocksdb_ffm_cxx.h"

/* Opens a shared librocksdb, and fills in the functions that cxx-symbols.txt lists. Ends the process if that fails. */
void cxx_engine_open(const char* library, const char* symbols, rocksdb_ffm_cxx_engine* engine);

/* Stores the address of a function of the engine, or of a library that it needs. */
void cxx_engine_find(void* function, const char* name);

/* Ends the process with a message if there is a problem. */
void stop_on(const char* doing, const char* problem);

#endif
