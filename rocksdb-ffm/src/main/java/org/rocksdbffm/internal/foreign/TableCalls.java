/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import java.lang.invoke.MethodHandle;

/** The functions of the C++ stubs for table files, with a {@code long} for each pointer. */
public final class TableCalls {
  private TableCalls() {}

  /** Ingests files into several families; {@code families} is an array of {@code rocksdb_ffm_cxx_ingestion}. */
  public static void ingest(long db, long families, long count, long errorCell) {
    call(Ingest.HANDLE, CxxEngine.address(), db, families, count, errorCell, 0);
  }

  /** Opens a table file; {@code path} is a slice. Returns 0 with a message if that fails. */
  public static long open(long options, long path, long errorCell) {
    return call(Open.HANDLE, CxxEngine.address(), options, path, errorCell, 0, 0);
  }

  /** Moves to the next entry, whose key and value the two slices at {@code entry} receive; returns whether there is one. */
  public static boolean next(long table, long entry, long errorCell) {
    return call(Next.HANDLE, CxxEngine.address(), table, entry, errorCell, 0, 0) != 0;
  }

  public static void close(long table) {
    call(Close.HANDLE, CxxEngine.address(), table, 0, 0, 0, 0);
  }

  private static long call(MethodHandle handle, long a, long b, long c, long d, long e, long f) {
    try {
      return (long) handle.invokeExact(a, b, c, d, e, f);
    } catch (Throwable thrown) {
      throw Downcalls.rethrown(thrown);
    }
  }

  private static MethodHandle link(String function) {
    return Downcalls.link("rocksdb_ffm_cxx_" + function, Downcalls.WORDS);
  }

  private static final class Open {
    static final MethodHandle HANDLE = link("table_open");
  }

  private static final class Next {
    static final MethodHandle HANDLE = link("table_next");
  }

  private static final class Close {
    static final MethodHandle HANDLE = link("table_close");
  }

  private static final class Ingest {
    static final MethodHandle HANDLE = link("ingest");
  }
}
