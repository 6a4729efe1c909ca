/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

/**
 * The functions of the C++ stubs for encryption, see {@code rocksdb_ffm_cxx.h}. The class is initialized by the first
 * use of encryption, after {@link CxxEngine#address} has opened the library.
 */
public final class CxxCalls {
  private static final MethodHandle CREATE =
      link("rocksdb_ffm_cxx_encryption_create", long.class, long.class, long.class, long.class, long.class);
  private static final MethodHandle ENVIRONMENT = link("rocksdb_ffm_cxx_encryption_env", long.class, long.class);
  private static final MethodHandle DESTROY = link("rocksdb_ffm_cxx_encryption_destroy", void.class, long.class);
  private static final MethodHandle CHECK = link("rocksdb_ffm_cxx_check", int.class, long.class, long.class, long.class);
  private static final MethodHandle DECRYPT =
      link("rocksdb_ffm_cxx_decrypt", void.class, long.class, long.class, long.class, long.class, long.class);
  private static final MethodHandle NEW_PREFIX = link("rocksdb_ffm_cxx_new_prefix", int.class, long.class, long.class);
  private static final MethodHandle SET_ENVIRONMENT = link("rocksdb_options_set_env", void.class, long.class, long.class);

  private CxxCalls() {}

  private static MethodHandle link(String symbol, Class<?> result, Class<?>... parameters) {
    return Downcalls.link(symbol, MethodType.methodType(result, parameters));
  }

  /** Returns a new encryption; zero if it failed, with a message in the cell. */
  public static long create(long engine, MemorySegment keys, long count, MemorySegment error) {
    try {
      return (long) CREATE.invokeExact(engine, keys.address(), count, error.address());
    } catch (Throwable e) {
      throw Downcalls.rethrown(e);
    }
  }

  /** Returns the environment of an encryption. */
  public static MemorySegment environment(long encryption) {
    try {
      return Memory.atAddress((long) ENVIRONMENT.invokeExact(encryption));
    } catch (Throwable e) {
      throw Downcalls.rethrown(e);
    }
  }

  public static void destroy(long encryption) {
    try {
      DESTROY.invokeExact(encryption);
    } catch (Throwable e) {
      throw Downcalls.rethrown(e);
    }
  }

  /** Returns whether the keys can decrypt a file with this header. */
  public static int check(long encryption, MemorySegment header) {
    try {
      return (int) CHECK.invokeExact(encryption, header.address(), header.byteSize());
    } catch (Throwable e) {
      throw Downcalls.rethrown(e);
    }
  }

  public static void decrypt(long encryption, MemorySegment header, long offset, MemorySegment data, long size) {
    try {
      DECRYPT.invokeExact(encryption, header.address(), offset, data.address(), size);
    } catch (Throwable e) {
      throw Downcalls.rethrown(e);
    }
  }

  /** Fills in the prefix of a new file; returns zero if there are no random numbers. */
  public static int newPrefix(long encryption, MemorySegment prefix) {
    try {
      return (int) NEW_PREFIX.invokeExact(encryption, prefix.address());
    } catch (Throwable e) {
      throw Downcalls.rethrown(e);
    }
  }

  /** Makes options use an environment. */
  public static void setEnvironment(MemorySegment options, MemorySegment environment) {
    try {
      SET_ENVIRONMENT.invokeExact(options.address(), environment.address());
    } catch (Throwable e) {
      throw Downcalls.rethrown(e);
    }
  }
}
