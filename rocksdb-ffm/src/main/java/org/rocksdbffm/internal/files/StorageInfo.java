/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.files;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.CopyGate;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.WorkPauses;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.format.DatabaseFile;
import org.rocksdbffm.internal.settings.NativeEncryption;
import org.rocksdbffm.internal.upkeep.Flushes;

/** Lists the files that a copy of a database needs, and what to copy of each. */
public final class StorageInfo {
  private static final String CRC32C = "FileChecksumCrc32c";
  private static final ValueLayout.OfInt CHECKSUM = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final int LOG = 0;
  private static final int MANIFEST = 3;
  private static final int CURRENT = 4; // the engine returns its contents, because the file may change

  private StorageInfo() {}

  /**
   * The engine's metadata of a file.
   *
   * @param type the engine's number
   * @param size the number of bytes to copy, from the start of the file
   * @param grows whether the file may have grown since it was listed
   * @param contents the contents of the copy; null for the file's own
   * @param checksum the checksum of the whole file; -1 for none
   */
  public record Entry(
      String name, Path path, int type, long number, long size, boolean grows, byte[] contents, long checksum)
      implements ArchivedDatabase.File {
    @Override
    public boolean isLog() {
      return type == LOG;
    }

    @Override
    public boolean isManifest() {
      return type == MANIFEST;
    }

    @Override
    public boolean isWhole() {
      return !grows && contents == null;
    }

    @Override
    public InputStream open() throws IOException {
      return contents != null
          ? new ByteArrayInputStream(contents)
          : new FilePrefix(Files.newInputStream(path), size, path);
    }
  }

  /**
   * The files of a copy.
   *
   * @param sequence the number of the last write when the files were listed; the tables have each write up to this number
   *     that skipped the WAL, and each other write is in the tables or in the WAL
   */
  public record Listing(List<Entry> files, long sequence) {}

  /**
   * Lists the files, which the caller must hold. {@code flush}: flushes the memtables first; otherwise the WAL is
   * listed.
   */
  public static Listing of(Database database, boolean flush) {
    if (!flush && !database.kind().hasTransactions()) { // the engine always flushes databases with transactions
      return list(database, false);
    }
    try (WorkPauses.CopyFlush _ = database.pauses().startCopy()) {
      Flushes.beforeCopy(database);
      return list(database, flush);
    }
  }

  private static Listing list(Database database, boolean flush) {
    return database.within((db, arena, error) -> {
      MemorySegment info;
      long sequence;
      try (CopyGate.Closing gate = database.copies().close();
          WorkPauses.CopyFlush _ = gate.needsFlush() ? database.pauses().startCopy() : null) {
        info = info(flush || gate.needsFlush(), false, db, arena, error);
        sequence = RocksDbC.rocksdb_get_latest_sequence_number(db); // before the next write without WAL
      }
      return new Listing(entries(info, arena, error), sequence);
    });
  }

  /**
   * As {@link #of}, of a database of the drop-in. Writes without WAL do not wait, so all families are flushed together.
   * Returns null if there is an error.
   */
  public static List<Entry> of(
      MemorySegment db, boolean flush, NativeEncryption encryption, Arena arena, MemorySegment error) {
    List<Entry> entries = entries(info(flush, true, db, arena, error), arena, error);
    return entries == null || encryption == null ? entries : encrypted(entries, encryption);
  }

  private static List<Entry> entries(MemorySegment info, Arena arena, MemorySegment error) {
    if (Memory.pointer(error, 0) != 0) {
      return null;
    }
    Memory.until(arena, RocksDbC::rocksdb_livefiles_storage_info_destroy, info);
    MemorySegment length = arena.allocate(ValueLayout.JAVA_LONG);
    List<Entry> entries = new ArrayList<>();
    for (long i = 0; i < RocksDbC.rocksdb_livefiles_storage_info_count(info); i++) {
      entries.add(entry(info, i, length));
    }
    return entries;
  }

  /** As {@link #of}, with the sizes and contents that the files have on the disk, where they may be encrypted. */
  public static Listing onDisk(Database database, boolean flush) {
    Listing listing = of(database, flush);
    NativeEncryption encryption = database.encryption();
    return encryption == null
        ? listing
        : database.within(
            (db, arena, error) -> new Listing(encrypted(listing.files, encryption), listing.sequence));
  }

  private static List<Entry> encrypted(List<Entry> entries, NativeEncryption encryption) {
    return entries.stream().map(entry -> encrypted(entry, encryption)).toList();
  }

  /** The engine's sizes are without the prefix, and its checksums are of the content. */
  private static Entry encrypted(Entry entry, NativeEncryption encryption) {
    byte[] contents = entry.contents == null ? null : encryption.encrypted(entry.contents);
    long prefix = entry.size == 0 ? 0 : DatabaseFile.PREFIX; // the engine may not have written the prefix yet
    long size = contents == null ? prefix + entry.size : contents.length;
    return new Entry(entry.name, entry.path, entry.type, entry.number, size, entry.grows, contents, -1);
  }

  private static MemorySegment info(
      boolean flush, boolean together, MemorySegment db, Arena arena, MemorySegment error) {
    MemorySegment options =
        Memory.until(
            arena,
            RocksDbC::rocksdb_livefiles_storage_info_options_destroy,
            RocksDbC.rocksdb_livefiles_storage_info_options_create());
    RocksDbC.rocksdb_livefiles_storage_info_options_set_include_checksum_info(options, (byte) 1);
    RocksDbC.rocksdb_livefiles_storage_info_options_set_atomic_flush(options, (byte) (together ? 1 : 0));
    RocksDbC.rocksdb_livefiles_storage_info_options_set_wal_size_for_flush(options, flush ? 0 : -1);
    return RocksDbC.rocksdb_get_livefiles_storage_info(db, options, error);
  }

  private static Entry entry(MemorySegment info, long i, MemorySegment length) {
    String name = Memory.string(RocksDbC.rocksdb_livefiles_storage_info_relative_filename(info, i).address());
    String folder = Memory.string(RocksDbC.rocksdb_livefiles_storage_info_directory(info, i).address());
    int type = RocksDbC.rocksdb_livefiles_storage_info_file_type(info, i);
    return new Entry(
        name,
        Path.of(folder, name),
        type,
        RocksDbC.rocksdb_livefiles_storage_info_file_number(info, i),
        RocksDbC.rocksdb_livefiles_storage_info_size(info, i),
        RocksDbC.rocksdb_livefiles_storage_info_trim_to_size(info, i) != 0,
        type == CURRENT ? contents(info, i, length) : null,
        checksum(info, i));
  }

  private static byte[] contents(MemorySegment info, long i, MemorySegment length) {
    MemorySegment bytes = RocksDbC.rocksdb_livefiles_storage_info_replacement_contents(info, i, length);
    return Memory.toArray(bytes.address(), length.get(ValueLayout.JAVA_LONG, 0));
  }

  /** Reads the four bytes of a checksum; they may be zero, and the C function returns no size. */
  private static long checksum(MemorySegment info, long i) {
    String function = Memory.string(RocksDbC.rocksdb_livefiles_storage_info_file_checksum_func_name(info, i).address());
    if (!function.equals(CRC32C)) {
      return -1;
    }
    long bytes = RocksDbC.rocksdb_livefiles_storage_info_file_checksum(info, i).address();
    return Integer.toUnsignedLong(Memory.at(bytes, Integer.BYTES).get(CHECKSUM, 0));
  }
}
