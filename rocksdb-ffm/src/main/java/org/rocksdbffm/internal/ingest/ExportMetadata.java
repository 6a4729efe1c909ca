/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.ingest;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.TableCalls;
import org.rocksdbffm.internal.ingest.ExportDescription.File;

/** Converts between the engine's metadata of an export and its description. */
final class ExportMetadata {
  private static final long SLICE = 2 * Long.BYTES;
  private static final long NUMBERS = File.TEXTS * SLICE;
  private static final long SIZE = NUMBERS + File.NUMBERS * Long.BYTES;
  private static final int FOLDER = 1; // the index of a file's folder in its texts

  private ExportMetadata() {}

  static ExportDescription describe(MemorySegment metadata) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment files = RocksDbC.rocksdb_export_import_files_metadata_get_files(metadata);
      Memory.until(arena, RocksDbC::rocksdb_livefiles_destroy, files);
      MemorySegment words = arena.allocate(SIZE, Long.BYTES);
      List<File> described = new ArrayList<>();
      for (int i = 0; i < RocksDbC.rocksdb_livefiles_count(files); i++) {
        TableCalls.describe(files.address(), i, words.address());
        described.add(file(words));
      }
      String comparator =
          Status.takeText(RocksDbC.rocksdb_export_import_files_metadata_get_db_comparator_name(metadata).address());
      return new ExportDescription(comparator.getBytes(StandardCharsets.UTF_8), described);
    }
  }

  private static File file(MemorySegment words) {
    List<byte[]> texts = new ArrayList<>();
    for (long at = 0; at < NUMBERS; at += SLICE) {
      texts.add(Memory.toArray(Memory.pointer(words, at), words.get(ValueLayout.JAVA_LONG, at + Long.BYTES)));
    }
    return new File(texts, words.asSlice(NUMBERS).toArray(ValueLayout.JAVA_LONG));
  }

  /** Returns new metadata of files that are now in a folder, which the caller destroys. */
  static MemorySegment of(ExportDescription description, FolderPath folder) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment words = arena.allocate(SIZE, Long.BYTES);
      long files = TableCalls.newFiles();
      for (File file : description.files()) {
        List<byte[]> texts = new ArrayList<>(file.texts());
        texts.set(FOLDER, folder.bytes());
        fill(words, texts, file.numbers(), arena);
        TableCalls.addFile(files, words.address(), error.address());
        if (Memory.pointer(error, 0) != 0) {
          RocksDbC.rocksdb_livefiles_destroy(Memory.atAddress(files));
          throw Status.take(error, "reading the export " + folder);
        }
      }
      long metadata = TableCalls.newExport(Memory.string(description.comparator(), arena).address());
      TableCalls.setFiles(metadata, files);
      return Memory.atAddress(metadata);
    }
  }

  private static void fill(MemorySegment words, List<byte[]> texts, long[] numbers, Arena arena) {
    for (int i = 0; i < texts.size(); i++) {
      Memory.point(words, i * SLICE, Memory.string(texts.get(i), arena));
      words.set(ValueLayout.JAVA_LONG, i * SLICE + Long.BYTES, texts.get(i).length);
    }
    words.asSlice(NUMBERS).copyFrom(MemorySegment.ofArray(numbers));
  }
}
