/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.kill;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.IndexedBatch;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.TransactionalDb;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.WriteOptions;

/**
 * Writes with several threads until it is killed, and records acknowledged writes in a {@link Ledger}. Arguments: the
 * folder, a number that identifies the rows of this run, and the {@link KillSetting}.
 */
final class KilledWriter {
  private final RocksDb db;
  private final KillSetting setting;
  private final Path folder;
  private final int run;
  private final KilledThread writer;
  private final KilledRows rows;
  private final WriteOptions options;
  private final List<ColumnFamily> families;

  private KilledWriter(RocksDb db, KillSetting setting, Path folder, int run, KilledThread writer) {
    this.db = db;
    this.setting = setting;
    this.folder = folder;
    this.run = run;
    this.writer = writer;
    this.rows = new KilledRows(run, writer.ordinal());
    this.options =
        WriteOptions.defaults()
            .sync(writer.isSynced())
            .disableWal(writer == KilledThread.UNLOGGED && setting.allowsUnlogged());
    this.families = List.of(db.family("default"), db.family(KilledThread.OTHER), db.family(KilledThread.THIRD));
  }

  public static void main(String[] arguments) {
    Path folder = Path.of(arguments[0]);
    int run = Integer.parseInt(arguments[1]);
    KillSetting setting = new KillSetting(KillSetting.Kind.valueOf(arguments[2]), arguments[3]);
    RocksDb db = setting.open(folder);
    db.familyOrCreate(KilledThread.OTHER, KillSetting.FAMILY);
    db.familyOrCreate(KilledThread.THIRD, KillSetting.FAMILY);
    for (KilledThread writer : KilledThread.values()) {
      KilledWriter one = new KilledWriter(db, setting, folder, run, writer);
      Thread.ofPlatform().start(() -> one.write());
    }
  }

  private void write() {
    try (Ledger ledger = new Ledger(folder, writer.ordinal(), Ledger.Step.DONE)) {
      for (long number = 0; ; number++) {
        switch (writer) {
          case SYNCED_ROWS, ROWS -> writeRow(number);
          case SYNCED_BATCHES, BATCHES -> writeBatch(number);
          case SYNCED_TRANSACTIONS, TRANSACTIONS -> writeTransaction(number);
          case SYNCED_TWO_PHASES, TWO_PHASES -> {
            if (!(db instanceof TransactionDb transactional)) {
              return;
            }
            writeTwoPhases(transactional, number);
          }
          case UNLOGGED -> writeUnlogged(number);
          case GENERATIONS -> writeGeneration(number, ledger);
        }
        if (writer != KilledThread.GENERATIONS) {
          ledger.record(number);
        }
      }
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private ColumnFamily family(long number) {
    return families.get((int) (number % families.size()));
  }

  private void writeRow(long number) {
    family(number).with(options).put(rows.key(number), rows.value(number));
  }

  /** Overwrites all rows of the writer, which are in all families. */
  private WriteBatch batch(long number) {
    WriteBatch batch = new WriteBatch();
    for (int i = 0; i < KilledThread.BATCH; i++) {
      put(i == 0 ? batch : batch.in(family(i)), i, number);
    }
    return batch;
  }

  private void put(KeyWriter writer, int row, long number) {
    writer.put(rows.key(row), rows.value(number));
  }

  private void writeBatch(long number) {
    db.with(options).write(batch(number));
  }

  private void writeTransaction(long number) {
    if (db instanceof TransactionalDb transactional) {
      transactional.callInTransaction(
          TransactionalDb.RetryPolicy.defaults(), TransactionOptions.defaults().writeOptions(options), transaction -> {
            put(transaction, number);
            return null;
          });
      return;
    }
    try (IndexedBatch batch = db.indexedBatch()) {
      for (int i = 0; i < KilledThread.BATCH; i++) {
        put(batch.in(family(i)), i, number);
      }
      batch.write(options);
    }
  }

  private void put(Transaction transaction, long number) {
    for (int i = 0; i < KilledThread.BATCH; i++) {
      put(transaction.in(family(i)), i, number);
    }
  }

  /** Leaves time between the phases, so that families are flushed while a transaction is prepared. */
  private void writeTwoPhases(TransactionDb transactional, long number) {
    try (Transaction transaction = transactional.begin(TransactionOptions.defaults().writeOptions(options));
        Ledger prepared = new Ledger(folder, writer.ordinal(), Ledger.Step.PREPARED)) {
      put(transaction, number);
      transaction.prepare(writer.preparedName(run, number));
      prepared.record(number);
      LockSupport.parkNanos((number % 8) * 4_000_000);
      if (KilledThread.isCommitted(number)) {
        transaction.commit();
      } else {
        transaction.rollback();
      }
    }
  }

  /** Flushes single families if a batch may be torn anyway, and lets the engine flush most batches. */
  private void writeUnlogged(long number) {
    Random random = new Random(number);
    KeySpace unlogged = db.with(options);
    for (int i = random.nextInt(40); i > 0; i--) {
      unlogged.write(batch(number));
    }
    unlogged.write(batch(number));
    if (!setting.isAtomic()) {
      family(random.nextInt(families.size())).flush();
    }
    db.flushAll();
  }

  private void writeGeneration(long number, Ledger ledger) {
    ColumnFamily created = db.familyOrCreate(KilledThread.generations(run) + number, KillSetting.FAMILY);
    WriteBatch batch = new WriteBatch();
    batch.put(rows.key(number), rows.value(number));
    batch.in(created).put(rows.key(number), rows.value(number));
    batch.in(db.family(KilledThread.OTHER)).put(rows.key(number), rows.value(number));
    db.with(options).write(batch);
    ledger.record(2 * number);
    if (number % 3 == 0) {
      created.flush();
    }
    db.dropFamily(created);
    ledger.record(2 * number + 1);
  }
}
