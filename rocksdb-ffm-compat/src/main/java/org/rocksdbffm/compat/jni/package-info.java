/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * JNI's {@code JNIEnv} and {@code JavaVM} as upcalls, for JNI entry points of RocksDB without a counterpart in the C
 * API. Slow, and only for rare calls.
 */
package org.rocksdbffm.compat.jni;
