/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.sweep;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.EnvOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.HashSkipListMemTableConfig;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SstFileWriter;
import org.rocksdb.TtlDB;
import org.rocksdb.WriteBatchWithIndex;

/**
 * Known faults of the engine that no option causes, with the {@code org.rocksdb} on the class path. Arguments: the
 * working folder, and the first case.
 */
final class FaultProgram {
  static final String RIGHT = "right";

  private static final int ROWS = 50;

  private FaultProgram() {}

  static Map<String, SweepCase.Use> faults() {
    Map<String, SweepCase.Use> faults = new LinkedHashMap<>();
    faults.put("an atomic flush of families that are named twice", FaultProgram::flushTwice);
    faults.put("a writer that opens a table before it has finished another", FaultProgram::openTwice);
    faults.put("a clip to a range that begins with the last key of a file", FaultProgram::clip);
    faults.put("iterators of a TtlDB that are opened together", FaultProgram::iterateTogether);
    faults.put("a batch that is read along with a TtlDB", FaultProgram::readBatch);
    faults.put("a compacted database with a blob file, opened for reading", FaultProgram::readBlob);
    faults.put("a tailing iterator over a range that was deleted", FaultProgram::tail);
    faults.put("a secondary whose primary flushes what it has read from the log", FaultProgram::catchUp);
    faults.put("a hashed memtable that is asked for a key shorter than the prefix", FaultProgram::getShortKey);
    return faults;
  }

  public static void main(String[] arguments) throws Exception {
    List<SweepCase> cases = new ArrayList<>();
    faults().forEach((name, use) -> cases.add(new SweepCase(name, use)));
    SweepProgram.run(cases, Path.of(arguments[0]), Integer.parseInt(arguments[1]));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String is(Object expected, Object actual) {
    return expected.equals(actual) ? RIGHT : "wrong: " + actual + ", and not " + expected;
  }

  private static void flush(RocksDB db) throws RocksDBException {
    try (FlushOptions flushing = new FlushOptions()) {
      db.flush(flushing);
    }
  }

  private static String value(RocksDB db, String key) throws RocksDBException {
    byte[] value = db.get(bytes(key));
    return value == null ? "none" : new String(value, UTF_8);
  }

  private static List<String> keys(RocksDB db) throws RocksDBException {
    List<String> keys = new ArrayList<>();
    try (RocksIterator rows = db.newIterator()) {
      for (rows.seekToFirst(); rows.isValid(); rows.next()) {
        keys.add(new String(rows.key(), UTF_8));
      }
      rows.status();
    }
    return keys;
  }

  private static String flushTwice(Path folder) throws Exception {
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    descriptors.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
    for (int i = 0; i < 20; i++) {
      descriptors.add(new ColumnFamilyDescriptor(bytes("family" + i)));
    }
    List<ColumnFamilyHandle> families = new ArrayList<>();
    try (DBOptions options =
            new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true).setAtomicFlush(true);
        RocksDB db = RocksDB.open(options, folder.toString(), descriptors, families);
        FlushOptions flushing = new FlushOptions()) {
      List<ColumnFamilyHandle> twice = new ArrayList<>(families);
      twice.addAll(families);
      for (int round = 0; round < 50; round++) {
        for (ColumnFamilyHandle family : families) {
          db.put(family, bytes("k"), bytes("v"));
        }
        db.flush(flushing, twice);
      }
      return is("0", db.getProperty(families.get(7), "rocksdb.num-entries-active-mem-table"));
    }
  }

  private static String openTwice(Path folder) throws Exception {
    Path table = folder.resolve("one.sst");
    try (Options options = Subjects.options();
        EnvOptions files = new EnvOptions();
        IngestExternalFileOptions ingestion = new IngestExternalFileOptions();
        RocksDB db = RocksDB.open(options, folder.resolve("db").toString());
        SstFileWriter writer = new SstFileWriter(files, options)) {
      writer.open(table.toString());
      writer.put(bytes("k"), bytes("v"));
      try {
        writer.open(folder.resolve("two.sst").toString());
      } catch (RocksDBException refused) {
        writer.finish();
      }
      db.ingestExternalFile(List.of(table.toString()), ingestion);
      return is("v", value(db, "k"));
    }
  }

  private static String clip(Path folder) throws Exception {
    try (Options options = Subjects.options();
        RocksDB db = RocksDB.open(options, folder.toString())) {
      for (int row = 0; row < 2 * ROWS; row++) {
        db.put(bytes("k%03d".formatted(row)), bytes("v"));
        if (row == ROWS - 1) {
          flush(db);
          db.compactRange();
        }
      }
      db.clipColumnFamily(db.getDefaultColumnFamily(), bytes("k%03d".formatted(ROWS - 1)),
          bytes("k%03d".formatted(ROWS + 2)));
      return is(List.of("k049", "k050", "k051"), keys(db));
    }
  }

  private static String iterateTogether(Path folder) throws Exception {
    try (Options options = Subjects.options();
        TtlDB db = TtlDB.open(options, folder.toString(), 100_000, false)) {
      db.put(bytes("k"), bytes("v"));
      List<RocksIterator> rows = db.newIterators(List.of(db.getDefaultColumnFamily()));
      db.put(bytes("later"), bytes("v"));
      try (RocksIterator alone = rows.getFirst()) {
        alone.seekToFirst();
        String found = new String(alone.value(), UTF_8);
        alone.next();
        return is("v, no other", found + (alone.isValid() ? ", another" : ", no other"));
      }
    }
  }

  private static String readBatch(Path folder) throws Exception {
    try (Options options = Subjects.options();
        TtlDB db = TtlDB.open(options, folder.toString(), 100_000, false);
        WriteBatchWithIndex batch = new WriteBatchWithIndex();
        ReadOptions reading = new ReadOptions()) {
      db.put(bytes("k"), bytes("v"));
      try {
        return is("1 byte", batch.getFromBatchAndDB(db, reading, bytes("k")).length + " byte");
      } catch (UnsupportedOperationException refused) {
        return RIGHT;
      }
    }
  }

  private static String readBlob(Path folder) throws Exception {
    try (Options options = Subjects.options().setEnableBlobFiles(true).setMaxOpenFiles(-1)) {
      try (RocksDB db = RocksDB.open(options, folder.toString())) {
        db.put(bytes("k"), bytes("v"));
        flush(db);
        db.compactRange();
      }
      try (RocksDB db = RocksDB.openReadOnly(options, folder.toString())) {
        return is("v", value(db, "k"));
      }
    }
  }

  private static String tail(Path folder) throws Exception {
    try (Options options = Subjects.options();
        RocksDB db = RocksDB.open(options, folder.toString());
        ReadOptions reading = new ReadOptions().setTailing(true)) {
      db.put(bytes("k"), bytes("v"));
      db.deleteRange(bytes("a"), bytes("z"));
      try (RocksIterator rows = db.newIterator(reading)) {
        rows.seekToFirst();
        rows.status();
        return is("no row", rows.isValid() ? new String(rows.key(), UTF_8) : "no row");
      } catch (UnsupportedOperationException refused) {
        return RIGHT;
      }
    }
  }

  private static String getShortKey(Path folder) throws Exception {
    try (Options options = Subjects.options().setAllowConcurrentMemtableWrite(false).useFixedLengthPrefixExtractor(8);
        RocksDB db = RocksDB.open(options.setMemTableConfig(new HashSkipListMemTableConfig()), folder.toString())) {
      db.put(bytes("k"), bytes("v"));
      return is("v", value(db, "k"));
    } catch (IllegalArgumentException refused) {
      return RIGHT;
    }
  }

  private static String catchUp(Path folder) throws Exception {
    String primary = folder.resolve("primary").toString();
    try (Options options = Subjects.options();
        RocksDB db = RocksDB.open(options, primary)) {
      db.put(bytes("k"), bytes("first"));
      try (Options following = new Options().setMaxOpenFiles(-1);
          RocksDB secondary = RocksDB.openAsSecondary(following, primary, folder.resolve("secondary").toString())) {
        db.put(bytes("k"), bytes("second"));
        flush(db);
        try {
          secondary.tryCatchUpWithPrimary();
        } catch (UnsupportedOperationException refused) {
          return RIGHT;
        }
        return is("second", value(secondary, "k"));
      }
    }
  }
}
