/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Links rocksdbjni's classes to the engine: loads the native library, and links C functions at their first call. For
 * JNI
 * entry points of RocksDB without a counterpart in the C API, JNI's {@code JNIEnv} and {@code JavaVM} are upcalls:
 * slow,
 * and only for rare calls.
 */
package org.rocksdbffm.compat.jni;
