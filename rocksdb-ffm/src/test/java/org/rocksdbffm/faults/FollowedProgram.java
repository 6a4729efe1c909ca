/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.Opening;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.WriteBatch;

/**
 * A writer of a followed database, until it is killed. Each round is one batch, or one transaction that is prepared and
 * committed. It writes to all column families: sets some keys to the round's number, increments a counter, and deletes
 * the previous round's key. A file next to the database contains the numbers of the started round and of the last
 * written round.
 */
final class FollowedProgram {
  static final int KEYS = 20;
  static final List<String> FAMILIES = List.of(RocksDb.DEFAULT_COLUMN_FAMILY, "second", "third");
  static final String PASSING = "passing";
  static final byte[] COUNTER = "counter".getBytes();
  private static final int PADDING = 200;
  private static final int PACE_NANOS = 2_000_000;

  // After this number of rounds, the writer pauses, so that even on a busy machine a follower can open an unchanged
  // database.
  private static final int REST = 25;
  private static final int REST_NANOS = 300_000_000;

  private final TransactionDb db;
  private final List<ColumnFamily> families;
  private ColumnFamily passing;

  private FollowedProgram(TransactionDb db) {
    this.db = db;
    this.families = FAMILIES.stream().map(name -> db.familyOrCreate(name, FAMILY_OPTIONS)).toList();
  }

  private static final FamilyOptions FAMILY_OPTIONS =
      FamilyOptions.defaults()
          .mergeOperator(MergeOperator.uint64Add())
          .enableBlobFiles(true)
          .option("min_blob_size", PADDING / 2)
          .option("enable_blob_garbage_collection", true)
          .option("blob_garbage_collection_age_cutoff", 1.0)
          .writeBufferSize(ByteSize.kib(64));

  static Opening at(Path folder, String option) {
    return RocksDb.at(folder).options(DatabaseOptions.parse(option)).defaults(FAMILY_OPTIONS);
  }

  static byte[] key(int number) {
    return "key%03d".formatted(number).getBytes();
  }

  static byte[] keyOf(long round) {
    return "round%d".formatted(round).getBytes();
  }

  static byte[] value(long round) {
    return ByteBuffer.allocate(PADDING).order(ByteOrder.LITTLE_ENDIAN).putLong(round).array();
  }

  static ByteBuffer rounds(Path folder) throws IOException {
    Path file = folder.resolveSibling("rounds");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer rounds = channel.map(FileChannel.MapMode.READ_WRITE, 0, 2 * Long.BYTES);
      return rounds.order(ByteOrder.nativeOrder());
    }
  }

  /** Arguments: the folder, and optionally a database option. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    ByteBuffer rounds = rounds(folder);
    try (TransactionDb db = at(folder, arguments[1]).openTransactional()) {
      FollowedProgram program = new FollowedProgram(db);
      for (long round = 1;; round++) {
        rounds.putLong(0, round);
        program.write(round);
        db.files().flushWal();
        rounds.putLong(Long.BYTES, round);
        program.maintain(round);
        if (round == 1) {
          System.out.println("begun");
        }
        LockSupport.parkNanos(round % REST == 0 ? REST_NANOS : PACE_NANOS);
      }
    }
  }

  private void write(long round) {
    if (round % 5 != 0) {
      WriteBatch batch = new WriteBatch();
      for (ColumnFamily family : all()) {
        write(batch.in(family), round);
      }
      db.write(batch);
      return;
    }
    try (Transaction transaction = db.begin()) {
      for (ColumnFamily family : all()) {
        write(transaction.in(family), round);
      }
      transaction.prepare("round " + round);
      families.get((int) (round / 5 % families.size())).flush();
      transaction.commit();
    }
  }

  private List<ColumnFamily> all() {
    return passing == null ? families : List.of(families.get(0), families.get(1), families.get(2), passing);
  }

  private static void write(KeyWriter writer, long round) {
    for (int i = 0; i < KEYS; i++) {
      writer.put(key(i), value(round));
    }
    writer.merge(COUNTER, ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(1).array());
    writer.delete(keyOf(round - 1));
    writer.put(keyOf(round), value(round));
  }

  private void maintain(long round) {
    if (round % 7 == 0) {
      families.get((int) (round / 7 % families.size())).flush();
    }
    if (round % 40 == 0) {
      families.get((int) (round / 40 % families.size())).compact(KeyRange.all());
    }
    if (round % 100 == 30) {
      passing = db.createFamily(PASSING, FAMILY_OPTIONS);
    }
    if (round % 100 == 80) {
      db.dropFamily(passing);
      passing.close();
      passing = null;
    }
  }
}
