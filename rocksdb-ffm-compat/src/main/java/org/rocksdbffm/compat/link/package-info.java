/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * The link from upstream's classes to the engine: loads the native library, and links C functions on first call. Entry
 * points that the C API has no counterpart of get JNI's {@code JNIEnv} and {@code JavaVM}, made of upcalls; they are slow,
 * and are for what is seldom called.
 */
package org.rocksdbffm.compat.link;
