/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.ingest;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.exit.ExitHandler;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.order.NativeComparator;
import org.rocksdbffm.internal.order.OrderState;

/**
 * An empty database that links table files for a look at their first and last keys, and is gone afterwards. A file in an
 * order that a comparator in Java had earlier under its name would else become a part of a database that nobody can open
 * any more. One thread.
 */
final class TrialDatabase implements AutoCloseable {
  private final NativeComparator comparator;
  private final String tried;
  private final TrialFolder folder;
  private final MemorySegment options;
  private MemorySegment db; // null: it is not open

  private TrialDatabase(NativeComparator comparator, TrialFolder folder, String tried) {
    this.comparator = comparator;
    this.tried = tried;
    this.folder = folder;
    this.options = RocksDbC.rocksdb_options_create();
  }

  /** Opens one beside the files, where it can link them, or elsewhere if that cannot be written to. */
  static TrialDatabase open(NativeComparator comparator, Path beside, String tried) throws IOException {
    TrialDatabase trial = new TrialDatabase(comparator, TrialFolder.beside(beside, tried), tried);
    try {
      trial.open();
      return trial;
    } catch (Throwable e) {
      try {
        trial.close();
      } catch (RuntimeException left) {
        e.addSuppressed(left);
      }
      throw e;
    }
  }

  private void open() {
    try (Arena arena = Arena.ofConfined()) {
      ExitHandler.install(options);
      RocksDbC.rocksdb_options_set_create_if_missing(options, (byte) 1);
      RocksDbC.rocksdb_options_set_disable_auto_compactions(options, 1);
      RocksDbC.rocksdb_options_set_comparator(options, comparator.pointer());
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment opened = RocksDbC.rocksdb_open(options, Memory.string(folder.database().bytes(), arena), error);
      Status.check(error, tried);
      db = opened;
    }
  }

  /** Fails if the last key of a file comes before its first. */
  void requireInOrder(FolderPath file) {
    try (Arena arena = Arena.ofConfined()) {
      ingest(file, arena);
      MemorySegment files = RocksDbC.rocksdb_livefiles(db);
      try {
        for (int i = 0; i < RocksDbC.rocksdb_livefiles_count(files); i++) {
          requireInOrder(file, files, i, arena.allocate(ValueLayout.JAVA_LONG));
        }
      } finally {
        RocksDbC.rocksdb_livefiles_destroy(files);
      }
    }
  }

  private void ingest(FolderPath file, Arena arena) {
    MemorySegment names = arena.allocate(ValueLayout.JAVA_LONG);
    MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
    Memory.point(names, 0, Memory.string(file.bytes(), arena));
    MemorySegment how = RocksDbC.rocksdb_ingestexternalfileoptions_create();
    try {
      RocksDbC.rocksdb_ingestexternalfileoptions_set_link_files(how, (byte) 1);
      OrderState.amongFiles(() -> RocksDbC.rocksdb_ingest_external_file(db, names, 1, how, error));
    } finally {
      RocksDbC.rocksdb_ingestexternalfileoptions_destroy(how);
    }
    if (Memory.pointer(error, 0) != 0) {
      String failure = Status.takeText(error);
      throw Status.parse(failure, tried + IngestionAdvice.on(failure));
    }
  }

  private void requireInOrder(FolderPath file, MemorySegment files, int i, MemorySegment size) {
    MemorySegment first = RocksDbC.rocksdb_livefiles_smallestkey(files, i, size);
    long firstSize = size.get(ValueLayout.JAVA_LONG, 0);
    MemorySegment last = RocksDbC.rocksdb_livefiles_largestkey(files, i, size);
    long lastSize = size.get(ValueLayout.JAVA_LONG, 0);
    int order =
        comparator.compare(Memory.at(first.address(), firstSize), firstSize, Memory.at(last.address(), lastSize), lastSize);
    if (order > 0) {
      throw Status.parse(
          "Invalid argument: the last key of " + file + " comes before its first by the " + comparator,
          tried + ": it was written in another order under the same name; write it anew, and give another order another name");
    }
  }

  @Override
  public void close() {
    if (db != null) {
      RocksDbC.rocksdb_close(db);
      db = null;
    }
    RocksDbC.rocksdb_options_destroy(options);
    folder.close();
  }
}
