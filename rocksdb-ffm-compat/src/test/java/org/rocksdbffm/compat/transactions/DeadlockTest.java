/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.transactions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDB.DeadlockInfo;
import org.rocksdb.TransactionDB.DeadlockPath;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionOptions;
import org.rocksdb.WriteOptions;

/** A database reports its deadlocks, for which rocksdbjni throws, because its arrays are too short. */
@Timeout(300)
class DeadlockTest {
  static {
    RocksDB.loadLibrary();
  }

  @TempDir Path folder;
  private Options options;
  private TransactionDBOptions transactionDbOptions;
  private WriteOptions write;
  private TransactionOptions careful;
  private TransactionDB db;

  @BeforeEach
  void open() throws RocksDBException {
    options = new Options().setCreateIfMissing(true);
    transactionDbOptions = new TransactionDBOptions();
    write = new WriteOptions();
    careful = new TransactionOptions().setDeadlockDetect(true).setLockTimeout(30_000);
    db = TransactionDB.open(options, transactionDbOptions, folder.toString());
  }

  @AfterEach
  void close() {
    db.close();
    careful.close();
    write.close();
    transactionDbOptions.close();
    options.close();
  }

  @Test
  void whoWaitedForWhatIsTold() throws Exception {
    Set<Long> expected = deadlock(2);
    DeadlockPath[] paths = db.getDeadlockInfoBuffer();
    assertEquals(1, paths.length);
    assertFalse(paths[0].isEmpty());
    List<DeadlockInfo> waits = waits(paths[0]);
    assertEquals(expected, waits.stream().map(DeadlockInfo::getTransactionID).collect(Collectors.toSet()));
    assertEquals(
        Set.of("2-0", "2-1"), waits.stream().map(DeadlockInfo::getWaitingKey).collect(Collectors.toSet()));
    for (DeadlockInfo wait : waits) {
      assertTrue(wait.isExclusive());
      assertEquals(0, wait.getColumnFamilyId());
    }
  }

  @Test
  void pathsMayBeLongerAndShorterThanThereAreOfThem() throws Exception {
    for (int length : new int[] {2, 3, 2, 2}) {
      deadlock(length);
    }
    List<Integer> lengths = new ArrayList<>();
    for (DeadlockPath path : db.getDeadlockInfoBuffer()) {
      lengths.add(waits(path).size());
    }
    assertEquals(List.of(2, 2, 3, 2), lengths); // the newest is first
  }

  @Test
  void asManyAreKeptAsWasAskedFor() throws Exception {
    deadlock(2);
    deadlock(3);
    db.setDeadlockInfoBufferSize(1);
    assertEquals(1, db.getDeadlockInfoBuffer().length);
    db.setDeadlockInfoBufferSize(0);
    assertEquals(0, db.getDeadlockInfoBuffer().length);
  }

  /** Makes each transaction wait for a lock of the next; returns their IDs. */
  private Set<Long> deadlock(int length) throws Exception {
    List<Transaction> all = Stream.generate(() -> db.beginTransaction(write, careful)).limit(length).toList();
    Set<Long> ids = all.stream().map(Transaction::getID).collect(Collectors.toSet());
    for (int i = 0; i < length; i++) {
      all.get(i).put(key(length, i), new byte[1]);
    }
    List<FutureTask<Void>> waiting =
        IntStream.range(0, length - 1).mapToObj(i -> wants(all.get(i), key(length, i + 1))).toList();
    for (int i = 0; i < length - 1; i++) {
      while (all.get(i).getWaitingTxns().getTransactionIds().length == 0) {
        Thread.onSpinWait();
      }
    }
    Transaction last = all.getLast();
    RocksDBException failure =
        assertThrows(RocksDBException.class, () -> last.put(key(length, 0), new byte[1]));
    assertEquals(Status.SubCode.Deadlock, failure.getStatus().getSubCode());
    for (int i = length - 1; i >= 0; i--) {
      if (i < length - 1) {
        waiting.get(i).get();
      }
      all.get(i).rollback();
      all.get(i).close();
    }
    return ids;
  }

  private static byte[] key(int length, int index) {
    return (length + "-" + index).getBytes(UTF_8);
  }

  private static FutureTask<Void> wants(Transaction transaction, byte[] key) {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              transaction.put(key, new byte[1]);
              return null;
            });
    Thread.ofPlatform().daemon().start(task);
    return task;
  }

  /** rocksdbjni has no method for it. */
  private static List<DeadlockInfo> waits(DeadlockPath path) throws ReflectiveOperationException {
    Field field = DeadlockPath.class.getDeclaredField("path");
    field.setAccessible(true);
    return List.of((DeadlockInfo[]) field.get(path));
  }
}
