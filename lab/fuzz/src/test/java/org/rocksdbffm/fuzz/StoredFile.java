/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.internal.folder.FamilySettings;
import org.rocksdbffm.internal.folder.StoredDatabase;

/** The database files that the library parses itself. Inputs lack checksums, because a fuzzer cannot guess them. */
final class StoredFile {
  private static final int HEADER = 7;
  private static final byte FULL = 1;
  private static final int LONGEST = 0xfff; // an input fits into a WAL block

  private final Target target;
  private final Path folder;
  private final Path file;

  StoredFile(Target target) {
    this.target = target;
    try {
      folder = Files.createTempDirectory("database");
      FamilyOptions options = FamilyOptions.parse("min_blob_size=4;enable_blob_files=1");
      DatabaseOptions database = DatabaseOptions.defaults().option("avoid_flush_during_shutdown", true);
      try (RocksDb db = RocksDb.at(folder).options(database).defaults(options).open()) {
        db.createFamily("one", options).put(new byte[] {1}, new byte[10]);
        db.flushAll();
        db.put(new byte[] {1}, new byte[10]);
      }
      String name = target == Target.LOG ? ".log" : target == Target.MANIFEST ? "MANIFEST-" : "OPTIONS-";
      try (Stream<Path> files = Files.list(folder)) {
        file = files.filter(path -> path.getFileName().toString().contains(name)).sorted().toList().getLast();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  byte[] original() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    return target == Target.OPTIONS_FILE ? bytes : withoutSums(bytes);
  }

  void read(byte[] input) throws IOException {
    Files.write(file, target == Target.OPTIONS_FILE ? input : withSums(input));
    try {
      StoredDatabase stored = StoredDatabase.in(folder, Map.of());
      switch (target) {
        case MANIFEST -> {
          List<String> engines = RocksDb.families(folder);
          Target.require(stored.families() == null
              || stored.families().equals(engines), "other families than " + engines);
        }
        case LOG -> stored.requireFamily(new FamilySettings("default", Map.of(), null, false, Set.of()), true);
        default -> StoredOptions.load(folder);
      }
    } catch (IOException e) {
      Target.require(e.getMessage().contains(file.getFileName().toString()), "a refusal names no file: " + e);
    } catch (RocksDbException e) {
      Target.require(e.code() != RocksDbException.Code.IO_ERROR, e.toString());
    } catch (IllegalArgumentException e) {
      boolean isNamed = e.getMessage().contains("option") || e.getMessage().contains(file.getFileName().toString());
      Target.require(isNamed, "a rejection names no option and no file: " + e);
    }
  }

  /** Returns the records, each preceded by its length. */
  private static byte[] withoutSums(byte[] file) {
    ByteBuffer from = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer records = ByteBuffer.allocate(file.length);
    for (int at = 0; at + HEADER <= file.length && file[at + 6] == FULL; at += HEADER + from.getShort(at + 4)) {
      records.putShort(from.getShort(at + 4)).put(file, at + HEADER, from.getShort(at + 4));
    }
    return Arrays.copyOf(records.array(), records.position());
  }

  private static byte[] withSums(byte[] records) {
    ByteBuffer from = ByteBuffer.wrap(records);
    ByteBuffer file = ByteBuffer.allocate(HEADER * (records.length + 1)).order(ByteOrder.LITTLE_ENDIAN);
    while (from.remaining() >= Short.BYTES) {
      byte[] record = new byte[Math.min(from.getShort() & LONGEST, from.remaining())];
      from.get(record);
      CRC32C sum = new CRC32C();
      sum.update(FULL);
      sum.update(record);
      int crc = (int) sum.getValue();
      file.putInt((crc >>> 15 | crc << 17) + 0xa282ead8).putShort((short) record.length).put(FULL).put(record);
    }
    return Arrays.copyOf(file.array(), file.position());
  }
}
