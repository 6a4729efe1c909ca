/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.firstuse;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Does the work of {@link StartProgram} only with C functions of the engine, all linked with one signature and without
 * checks: the minimum cost of a start with the JDK's linker. The argument is the engine's file.
 */
final class FloorProgram {
  private final SymbolLookup engine;

  private FloorProgram(Path engine) {
    this.engine = SymbolLookup.libraryLookup(engine, Arena.global());
  }

  private MethodHandle function(String name) {
    return Linker.nativeLinker()
        .downcallHandle(
            engine.findOrThrow(name),
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                JAVA_LONG));
  }

  public static void main(String[] arguments) throws Throwable {
    new FloorProgram(Path.of(arguments[0])).run();
  }

  private long call(String name, long... words) throws Throwable {
    long[] all = Arrays.copyOf(words, 7);
    return (long) function(name).invokeExact(all[0], all[1], all[2], all[3], all[4], all[5], all[6]);
  }

  private void run() throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      long error = arena.allocate(JAVA_LONG).address();
      long options = call("rocksdb_options_create");
      call("rocksdb_options_set_create_if_missing", options, 1);
      long db = call("rocksdb_open", options, arena.allocateFrom("db").address(), error);
      long writes = call("rocksdb_writeoptions_create");
      long reads = call("rocksdb_readoptions_create");
      MemorySegment key = arena.allocate(JAVA_LONG);
      long value = arena.allocate(100).address();
      for (long i = 0; i < 3; i++) {
        key.set(JAVA_LONG, 0, i);
        call("rocksdb_put", db, writes, key.address(), 8, value, 100, error);
      }
      MemorySegment size = arena.allocate(JAVA_LONG);
      call("rocksdb_free", call("rocksdb_get", db, reads, key.address(), 8, size.address(), error));
      long iterator = call("rocksdb_create_iterator", db, reads);
      call("rocksdb_iter_seek_to_first", iterator);
      int rows = 0;
      for (; (byte) call("rocksdb_iter_valid", iterator) != 0; rows++) {
        call("rocksdb_iter_next", iterator);
      }
      call("rocksdb_iter_destroy", iterator);
      call("rocksdb_close", db);
      if (rows != 3 || size.get(JAVA_LONG, 0) != 100) {
        throw new AssertionError(rows + " rows");
      }
    }
  }
}
