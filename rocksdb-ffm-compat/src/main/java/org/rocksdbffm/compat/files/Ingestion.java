/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

import java.lang.foreign.Arena;
import java.util.Arrays;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.membership.Membership;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.support.Text;
import org.rocksdbffm.internal.call.Call;

/** Ingests external SST files into a database. */
public final class Ingestion {
  private Ingestion() {}

  public static void ingest(long db, long family, String[] files, int count, long options) throws RocksDBException {
    try (IngestedTables tables = IngestedTables.of(Arrays.copyOf(files, count), Membership.path(db))) {
      ingest(db, family, tables.paths(), options);
      if (rocksdb_ingestexternalfileoptions_get_move_files(options)) {
        tables.deletePlain();
      }
    }
  }

  private static void ingest(long db, long family, String[] files, long options) throws RocksDBException {
    try (Arena arena = Arena.ofConfined()) {
      long paths = Text.ofPaths(files, arena).address();
      Call call = Scratch.enter();
      try {
        rocksdb_ingest_external_file_cf(
            Scratch.wrap(call, 0, db),
            Scratch.wrap(call, 2, family),
            paths,
            files.length,
            options,
            Scratch.error(call));
        Scratch.check(call);
      } finally {
        call.exit();
      }
    }
  }

  private static native boolean rocksdb_ingestexternalfileoptions_get_move_files(long options);

  private static native void rocksdb_ingest_external_file_cf(
      long db, long family, long files, long count, long options, long error);
}
