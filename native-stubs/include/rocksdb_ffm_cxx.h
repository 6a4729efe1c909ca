/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/*
 * The contract between the Java core and its C++ stubs: a second library that reaches
 * what the engine's C API lacks. It is optional, and Java opens it at the first use. It
 * calls the engine through virtual functions, and through a table of functions that the
 * caller passes. A build check proves each function and each slot of a virtual function
 * in every packed engine, see cxx-symbols.txt. No exception leaves a function.
 *
 * Errors: an `error` cell receives NULL or a message with the engine's text for the
 * status, allocated with malloc; the caller frees it with rocksdb_free.
 */

#ifndef ROCKSDB_FFM_CXX_H
#define ROCKSDB_FFM_CXX_H

#include <stddef.h>
#include <stdint.h>

#define ROCKSDB_FFM_CXX_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* Incremented whenever a struct or a function below changes its meaning, layout or signature. */
#define ROCKSDB_FFM_CXX_ABI 1

/*
 * Functions of the engine, in the order of the rows "function" of cxx-symbols.txt. Never
 * changed after the caller has filled it in. Pointers to C++ functions are untyped here.
 */
typedef struct rocksdb_ffm_cxx_engine {
  void* status_to_string;
} rocksdb_ffm_cxx_engine;

/* The engine's opaque type, as rocksdb/c.h declares it. */
typedef struct rocksdb_t rocksdb_t;

/* The variable rocksdb_ffm_cxx_abi_<number>: its name gives the number to callers without a call. */
#define ROCKSDB_FFM_CXX_NAMED_BY(number) rocksdb_ffm_cxx_abi_##number
#define ROCKSDB_FFM_CXX_NAMED(number) ROCKSDB_FFM_CXX_NAMED_BY(number)
extern ROCKSDB_FFM_CXX_API const int ROCKSDB_FFM_CXX_NAMED(ROCKSDB_FFM_CXX_ABI);

/* Resumes a database's writes after the cause of a background error has been removed. */
ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_resume(const rocksdb_ffm_cxx_engine* engine,
                                                rocksdb_t* database, char** error);

#ifdef __cplusplus
}
#endif

#endif
