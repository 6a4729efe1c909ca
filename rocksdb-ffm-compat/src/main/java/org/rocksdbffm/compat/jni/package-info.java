/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * JNI's {@code JNIEnv} and {@code JavaVM}, made of upcalls, for entry points of the engine that the C API has no
 * counterpart of. They are slow, and are for what is seldom called.
 */
package org.rocksdbffm.compat.jni;
