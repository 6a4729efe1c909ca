/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.read.StubReader;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.support.Text;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Memory;

/** Compacts chosen files. */
public final class FileCompaction {
  private FileCompaction() {}

  /** Compacts files, and returns the names of the output files. */
  public static String[] compact(
      long db, long options, long family, String[] files, int level, int pathNumber, long info)
      throws RocksDBException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment results = arena.allocate(ValueLayout.JAVA_LONG, 2);
      Call call = Scratch.enter();
      try {
        rocksdb_compact_files_cf(
            Scratch.wrap(call, 0, db),
            Scratch.wrap(call, 2, StubReader.family(db, family)),
            options,
            Text.ofPaths(files, arena).address(),
            files.length,
            level,
            pathNumber,
            results.address(),
            results.address() + Long.BYTES,
            info,
            Scratch.error(call));
        Scratch.check(call);
      } finally {
        call.exit();
      }
      long list = Memory.pointer(results, 0);
      long count = Memory.pointer(results, Long.BYTES);
      try {
        MemorySegment names = Memory.at(list, count * Long.BYTES);
        String[] compacted = new String[Math.toIntExact(count)];
        Arrays.setAll(compacted, i -> Memory.string(Memory.pointer(names, (long) i * Long.BYTES)));
        return compacted;
      } finally {
        rocksdb_compact_files_output_file_names_destroy(list, count);
      }
    }
  }

  private static native void rocksdb_compact_files_cf(
      long db,
      long family,
      long options,
      long files,
      long count,
      int level,
      int pathNumber,
      long results,
      long resultCount,
      long info,
      long error);

  private static native void rocksdb_compact_files_output_file_names_destroy(long names, long count);
}
