/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.rocksdbffm.internal.db.NativeFamily;

/** The engine's properties about one family; sizes are in bytes. */
public record FamilyFigures(
    String name,
    long keys,
    long liveData,
    long tables,
    long tablesOnDisk,
    long debt,
    long memtables,
    long entries,
    long deletions,
    BlobFigures blobs,
    Optional<CacheFigures> blockCache,
    Optional<CacheFigures> blobCache) {
  /** Asks the engine. */
  public static FamilyFigures of(NativeFamily family) {
    return new FamilyFigures(
        family.name(),
        ask(family, "rocksdb.estimate-num-keys"),
        ask(family, "rocksdb.estimate-live-data-size"),
        ask(family, "rocksdb.live-sst-files-size"),
        ask(family, "rocksdb.total-sst-files-size"),
        ask(family, "rocksdb.estimate-pending-compaction-bytes"),
        ask(family, "rocksdb.size-all-mem-tables"),
        ask(family, "rocksdb.num-entries-active-mem-table") + ask(family, "rocksdb.num-entries-imm-mem-tables"),
        ask(family, "rocksdb.num-deletes-active-mem-table") + ask(family, "rocksdb.num-deletes-imm-mem-tables"),
        BlobFigures.of(family),
        CacheFigures.of(family, "block-cache"),
        CacheFigures.of(family, "blob-cache"));
  }

  /** Asks each family of an open database; one that another thread closes meanwhile is left out. */
  public static <T> List<T> ofAll(List<NativeFamily> families, Function<NativeFamily, T> question) {
    List<T> answers = new ArrayList<>();
    for (NativeFamily family : families) {
      try {
        answers.add(question.apply(family));
      } catch (IllegalStateException e) {
        family.database().requireOpen();
        if (!family.handle().isClosed()) {
          throw e;
        }
      }
    }
    return answers;
  }

  static long ask(NativeFamily family, String property) {
    return Math.max(0, family.longProperty(property).orElse(0));
  }
}
