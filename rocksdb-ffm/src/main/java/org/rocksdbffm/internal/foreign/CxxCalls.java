/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import static org.rocksdbffm.internal.foreign.CxxEngine.link;
import static org.rocksdbffm.internal.foreign.Downcalls.call;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The functions of the C++ stubs for encryption, see {@code rocksdb_ffm_cxx.h}. The class is initialized by the first
 * use of encryption, after {@link CxxEngine#address} has opened the library.
 */
public final class CxxCalls {
  private static final MethodHandle CREATE = link("encryption_create");
  private static final MethodHandle ENVIRONMENT = link("encryption_env");
  private static final MethodHandle DESTROY = link("encryption_destroy");
  private static final MethodHandle CHECK = link("check");
  private static final MethodHandle DECRYPT = link("decrypt");
  private static final MethodHandle NEW_PREFIX = link("new_prefix");
  private static final MethodHandle SET_ENVIRONMENT = Downcalls.link("rocksdb_options_set_env", Downcalls.WORDS);

  private CxxCalls() {}

  /** Returns a new encryption; zero if it failed, with a message in the cell. */
  public static long create(long engine, MemorySegment keys, long count, MemorySegment error) {
    return call(CREATE, engine, keys.address(), count, error.address(), 0, 0);
  }

  /** Returns the environment of an encryption. */
  public static MemorySegment environment(long encryption) {
    return Memory.atAddress(call(ENVIRONMENT, encryption, 0, 0, 0, 0, 0));
  }

  public static void destroy(long encryption) {
    call(DESTROY, encryption, 0, 0, 0, 0, 0);
  }

  /** Returns whether the keys can decrypt a file with this header. */
  public static int check(long encryption, MemorySegment header) {
    return (int) call(CHECK, encryption, header.address(), header.byteSize(), 0, 0, 0);
  }

  public static void decrypt(long encryption, MemorySegment header, long offset, MemorySegment data, long size) {
    call(DECRYPT, encryption, header.address(), offset, data.address(), size, 0);
  }

  /** Fills in the prefix of a new file; returns zero if there are no random numbers. */
  public static int newPrefix(long encryption, MemorySegment prefix) {
    return (int) call(NEW_PREFIX, encryption, prefix.address(), 0, 0, 0, 0);
  }

  /** Makes options use an environment. */
  public static void setEnvironment(MemorySegment options, MemorySegment environment) {
    call(SET_ENVIRONMENT, options.address(), environment.address(), 0, 0, 0, 0);
  }
}
