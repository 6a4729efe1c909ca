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

/*
 * Leaves the recovery from a full disk to the caller: otherwise the engine tries it every
 * five seconds, and only with as much room as the largest write buffer. An object has two
 * owners, the caller and a listener of the engine. The caller makes that listener with
 * rocksdb_eventlistener_create, with the object as its state, _release as its destructor,
 * and _ignore for all events; _watch then replaces one of its virtual functions. NULL if
 * memory is full.
 */
typedef struct rocksdb_ffm_cxx_recovery rocksdb_ffm_cxx_recovery;
ROCKSDB_FFM_CXX_API rocksdb_ffm_cxx_recovery* rocksdb_ffm_cxx_recovery_create(void);
ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_recovery_release(void* recovery);
ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_recovery_ignore(void);
ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_recovery_watch(rocksdb_ffm_cxx_recovery* recovery,
                                                        void* listener);

/* Returns whether a disk was full since the last call. */
ROCKSDB_FFM_CXX_API int rocksdb_ffm_cxx_recovery_take_wanted(rocksdb_ffm_cxx_recovery* recovery);

#ifdef __cplusplus
}
#endif

#endif
