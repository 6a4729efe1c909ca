/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sets;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.WriteBatch;

/** Fills and changes a database with an option set, reads it in all ways, and reopens it, also read-only. */
final class Workload {
  private static final int ROWS = 3000;
  private static final int GROUPS = 30;
  private static final int MERGED = GROUPS + 1;
  private static final int BATCH = 100;

  /** After this number of batches, rows are written one by one, which some clients sync. */
  private static final int SINGLE = 15;

  private final Consumer<OptionSet> client;
  private final Path folder;
  private final StringJoiner line = new StringJoiner(", ");

  Workload(Consumer<OptionSet> client, Path folder) {
    this.client = client;
    this.folder = folder;
  }

  /** A step that the engine may reject, which is a valid result. */
  private interface Step {
    String run() throws RocksDBException, IOException;
  }

  /** Returns the result on one line. */
  String run() {
    say("filled", () -> opened(this::fill));
    say("reopened", () -> opened(this::read));
    say("read-only", this::readOnly);
    say("options", this::storedOptions);
    return line.toString();
  }

  private void say(String name, Step step) {
    line.add(name + " " + answer(step));
  }

  private static String answer(Step step) {
    try {
      return step.run();
    } catch (RocksDBException | IOException | RuntimeException e) {
      return e.getClass().getSimpleName() + " (" + e.getMessage() + ")";
    }
  }

  private interface Use {
    String of(OptionSet set, RocksDB db, List<ColumnFamilyHandle> handles) throws RocksDBException;
  }

  private String opened(Use use) throws RocksDBException {
    return in(OptionSet::open, use);
  }

  private String readOnly() throws RocksDBException {
    return in(OptionSet::openReadOnly, (set, db, handles) -> read(set, db, handles, set.readOnlyGets));
  }

  private interface Opening {
    RocksDB of(OptionSet set, String path, List<ColumnFamilyHandle> handles) throws RocksDBException;
  }

  private String in(Opening opening, Use use) throws RocksDBException {
    try (OptionSet set = filled()) {
      List<ColumnFamilyHandle> handles = new ArrayList<>();
      try (RocksDB db = opening.of(set, folder.toString(), handles)) {
        try {
          return use.of(set, db, handles);
        } finally {
          handles.forEach(ColumnFamilyHandle::close);
        }
      }
    }
  }

  private OptionSet filled() {
    OptionSet set = new OptionSet();
    client.accept(set);
    return set;
  }

  private String fill(OptionSet set, RocksDB db, List<ColumnFamilyHandle> handles) throws RocksDBException {
    for (ColumnFamilyHandle family : handles) {
      write(set, db, family);
    }
    String written = read(set, db, handles);
    String erased = each(handles, family -> erase(set, db, family));
    for (String change : set.changes) {
      db.setOptions(handles.getLast(), MutableColumnFamilyOptions.parse(change).build());
    }
    flush(db, handles);
    for (ColumnFamilyHandle family : handles) {
      overwrite(set, db, family);
    }
    flush(db, handles);
    String compacted = each(handles, family -> compacted(db, family));
    return written + " " + erased + " " + compacted + " " + read(set, db, handles);
  }

  private interface Visit {
    String to(ColumnFamilyHandle family) throws RocksDBException;
  }

  /** Returns the results of all families; only one if they are equal. */
  private static String each(List<ColumnFamilyHandle> handles, Visit visit) {
    List<String> found = handles.stream().map(family -> answer(() -> visit.to(family))).toList();
    return found.stream().distinct().count() == 1 ? found.getFirst() : found.toString();
  }

  private static String compacted(RocksDB db, ColumnFamilyHandle family) throws RocksDBException {
    db.compactRange(family);
    return "compacted";
  }

  /** Writes single rows, batches and, if supported, transactions. */
  private static void write(OptionSet set, RocksDB db, ColumnFamilyHandle family) throws RocksDBException {
    for (int first = 0; first < ROWS; first += BATCH) {
      int kind = first / BATCH % SINGLE;
      if (kind == 0) {
        for (int row = first; row < first + BATCH; row++) {
          db.put(family, set.writes, key(row), value(row, 0));
        }
      } else if (kind % 2 == 1 || !(db instanceof TransactionDB || db instanceof OptimisticTransactionDB)) {
        try (WriteBatch batch = new WriteBatch()) {
          for (int row = first; row < first + BATCH; row++) {
            batch.put(family, key(row), value(row, 0));
          }
          db.write(set.writes, batch);
        }
      } else {
        commit(set, db, family, first);
      }
    }
    for (int row = 0; set.operand != null && row < 3 * BATCH; row++) {
      db.merge(family, set.writes, key(MERGED, row % BATCH), set.operand);
    }
  }

  private static void commit(OptionSet set, RocksDB db, ColumnFamilyHandle family, int first) throws RocksDBException {
    try (Transaction transaction = transaction(set, db)) {
      for (int row = first; row < first + BATCH; row++) {
        transaction.put(family, key(row), value(row, 0));
      }
      transaction.commit();
    }
  }

  private static Transaction transaction(OptionSet set, RocksDB db) {
    return switch (db) {
      case TransactionDB pessimistic -> pessimistic.beginTransaction(set.writes);
      case OptimisticTransactionDB optimistic -> optimistic.beginTransaction(set.writes);
      default -> null;
    };
  }

  private static String erase(OptionSet set, RocksDB db, ColumnFamilyHandle family) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch()) {
      for (int row = 0; row < ROWS; row += 7) {
        batch.delete(family, key(row));
      }
      db.write(set.writes, batch);
    }
    if (set.ranges) {
      db.deleteRange(family, set.writes, key(3, 0), key(4, 0));
    }
    return "erased";
  }

  private static void overwrite(OptionSet set, RocksDB db, ColumnFamilyHandle family) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch()) {
      for (int row = 0; row < ROWS; row += 4) {
        batch.put(family, key(row), value(row, 1));
      }
      db.write(set.writes, batch);
    }
  }

  private static void flush(RocksDB db, List<ColumnFamilyHandle> handles) throws RocksDBException {
    try (FlushOptions wait = new FlushOptions().setWaitForFlush(true)) {
      db.flush(wait, handles);
    }
  }

  private String read(OptionSet set, RocksDB db, List<ColumnFamilyHandle> handles) {
    return read(set, db, handles, true);
  }

  private static String read(OptionSet set, RocksDB db, List<ColumnFamilyHandle> handles, boolean gets) {
    return each(handles, family -> read(set, db, family, gets));
  }

  private static String read(OptionSet set, RocksDB db, ColumnFamilyHandle family, boolean gets) {
    try (ReadOptions total = new ReadOptions(set.reads).setTotalOrderSeek(true).setPrefixSameAsStart(false)) {
      return "{"
          + (gets ? answer(() -> got(set, db, family)) : "-") + " "
          + answer(() -> forward(db, family, total)) + " "
          + answer(() -> backward(db, family, total)) + " "
          + answer(() -> groups(db, family, set.reads)) + "}";
    }
  }

  private static String got(OptionSet set, RocksDB db, ColumnFamilyHandle family) throws RocksDBException {
    Rows rows = new Rows();
    for (int row = -5; row < ROWS + 5; row++) {
      byte[] value = db.get(family, set.reads, key(row));
      if (value != null) {
        rows.add(value);
      }
    }
    return rows.found();
  }

  private static String forward(RocksDB db, ColumnFamilyHandle family, ReadOptions reads) throws RocksDBException {
    Rows rows = new Rows();
    try (RocksIterator iterator = db.newIterator(family, reads)) {
      for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
        rows.add(iterator.key(), iterator.value());
      }
      iterator.status();
    }
    return rows.found();
  }

  private static String backward(RocksDB db, ColumnFamilyHandle family, ReadOptions reads) throws RocksDBException {
    Rows rows = new Rows();
    try (RocksIterator iterator = db.newIterator(family, reads)) {
      for (iterator.seekToLast(); iterator.isValid(); iterator.prev()) {
        rows.add(iterator.key(), iterator.value());
      }
      iterator.status();
    }
    return rows.found();
  }

  private static String groups(RocksDB db, ColumnFamilyHandle family, ReadOptions reads) throws RocksDBException {
    Rows rows = new Rows();
    try (RocksIterator iterator = db.newIterator(family, reads)) {
      for (int group = 0; group <= GROUPS; group++) {
        byte[] prefix = Arrays.copyOf(key(group, 0), Long.BYTES);
        iterator.seek(key(group, 0));
        while (iterator.isValid() && Arrays.equals(prefix, Arrays.copyOf(iterator.key(), Long.BYTES))) {
          rows.add(iterator.key(), iterator.value());
          iterator.next();
        }
        iterator.status();
      }
    }
    return rows.found();
  }

  /** Returns the OPTIONS file of the last opening. */
  private String storedOptions() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      Path last = files.filter(file -> file.getFileName().toString().startsWith("OPTIONS-"))
          .max(Comparator.comparing(file -> file.getFileName().toString()))
          .orElseThrow(() -> new IOException("none"));
      Rows rows = new Rows();
      Files.readAllLines(last).forEach(option -> rows.add(option.getBytes()));
      return rows.found();
    }
  }

  /** The number of rows, and their checksum. */
  private static final class Rows {
    private final CRC32C crc = new CRC32C();
    private int count;

    void add(byte[]... cells) {
      for (byte[] cell : cells) {
        crc.update(cell.length);
        crc.update(cell);
      }
      count++;
    }

    String found() {
      return count + "/" + Long.toHexString(crc.getValue());
    }
  }

  private static byte[] key(int row) {
    return key(Math.floorMod(row, GROUPS), row);
  }

  private static byte[] key(int group, int row) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(group).putLong(row).array();
  }

  /** Returns a value of a hundred bytes, or, for every tenth row, of thousands, for blob files. */
  private static byte[] value(int row, int version) {
    byte[] value = new byte[row % 10 == 0 ? 5000 + row % 7 : 100];
    for (int at = 0; at < value.length; at++) {
      value[at] = (byte) ('a' + (row * 31 + at * (at % 13) + version) % 26);
    }
    return value;
  }
}
