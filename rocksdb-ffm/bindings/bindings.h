/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/* The input of jextract: the engine's C API and the stubs' contract. */
#include "rocksdb/c.h"
#include "rocksdb_ffm.h"
