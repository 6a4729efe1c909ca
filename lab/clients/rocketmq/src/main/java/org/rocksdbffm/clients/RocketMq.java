/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import static org.apache.rocketmq.store.rocksdb.MessageRocksDBStorage.TIMELINE_CHECK_POINT;
import static org.apache.rocketmq.store.rocksdb.MessageRocksDBStorage.TIMER_COLUMN_FAMILY;
import static org.apache.rocketmq.store.rocksdb.MessageRocksDBStorage.TRANS_COLUMN_FAMILY;

import java.io.File;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.common.config.AbstractRocksDBStorage;
import org.apache.rocketmq.common.config.ConfigRocksDBStorage;
import org.apache.rocketmq.store.config.MessageStoreConfig;
import org.apache.rocketmq.store.index.rocksdb.IndexRocksDBRecord;
import org.apache.rocketmq.store.rocksdb.MessageRocksDBStorage;
import org.apache.rocketmq.store.timer.rocksdb.TimerRocksDBRecord;
import org.apache.rocketmq.store.transaction.TransRocksDBRecord;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBatch;

/**
 * A broker's stores: the configuration store, and the store of timers, indexes and transactions. The queue store is not
 * used, because its compaction filter in C++, compiled for an older RocksDB, crashes a JVM with rocksdbjni 11.8.1.
 */
final class RocketMq {
  private static final int ROWS = 5000;
  private static final long HOUR = 1_700_000_000_000L / 3_600_000 * 3_600_000;

  private RocketMq() {}

  public static void main(String[] arguments) throws Exception {
    configuration();
    messages();
    System.exit(0); // its thread pools are never shut down
  }

  private static void configuration() throws Exception {
    String folder = new File("configuration").getPath();
    ConfigRocksDBStorage storage = ConfigRocksDBStorage.getStore(folder, false);
    start(storage);
    try (WriteBatch batch = new WriteBatch()) {
      for (int row = 0; row < ROWS; row++) {
        storage.writeBatchPutOperation(row % 2 == 0 ? "topics"
            : "groups", batch, bytes("key " + row), bytes("value " + row));
      }
      storage.batchPutWithWal(batch);
    }
    storage.put("topics", bytes("single"), 6, bytes("put"));
    storage.put("topics", direct("direct"), direct("buffers"));
    storage.delete("topics", bytes("key 8"));
    Answers.say("configuration", new String(storage.get("topics", bytes("single"))),
        storage.get("topics", bytes("key 8")));
    scan("topics", storage);
    Answers.say("configuration closed", storage.shutdown());
    ConfigRocksDBStorage.shutdown(folder);
    storage = ConfigRocksDBStorage.getStore(folder, true);
    start(storage);
    scan("topics read only", storage);
    Answers.say("read only closed", storage.shutdown());
  }

  private static void scan(String step, ConfigRocksDBStorage storage) throws Exception {
    for (String family : List.of("topics", "groups")) {
      Answers answers = new Answers();
      storage.iterate(family, (key, value) -> answers.row(key, value));
      answers.end(step + " " + family);
    }
  }

  private static void messages() {
    MessageStoreConfig configuration = new MessageStoreConfig();
    configuration.setStorePathRootDir(new File("broker").getPath());
    MessageRocksDBStorage storage = new MessageRocksDBStorage(configuration);
    List<TimerRocksDBRecord> timers = new ArrayList<>();
    List<IndexRocksDBRecord> indexes = new ArrayList<>();
    List<TransRocksDBRecord> transactions = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      timers.add(new TimerRocksDBRecord(HOUR + row, "message " + row, row, 100, row * 2L, null));
      indexes.add(new IndexRocksDBRecord("topic", "key " + row % 10, "tag", HOUR + row, "message " + row, row));
      transactions.add(new TransRocksDBRecord(row, "topic", "message " + row, 100, row % 5));
    }
    storage.writeRecordsForTimer(TIMER_COLUMN_FAMILY, timers);
    storage.writeRecordsForIndex(RocksDB.DEFAULT_COLUMN_FAMILY, indexes);
    storage.writeRecordsForTrans(TRANS_COLUMN_FAMILY, transactions);
    storage.writeCheckPointForTimer(TIMER_COLUMN_FAMILY, TIMELINE_CHECK_POINT, 77);
    read("messages", storage);
    storage.deleteRecordsForTimer(TIMER_COLUMN_FAMILY, HOUR + 100, HOUR + 900);
    storage.deleteRecordsForIndex(RocksDB.DEFAULT_COLUMN_FAMILY, HOUR, 1);
    read("messages deleted", storage);
    Answers.say("messages closed", storage.shutdown());
    storage = new MessageRocksDBStorage(configuration);
    read("messages reopened", storage);
    Answers.say("messages closed again", storage.shutdown());
  }

  private static void read(String step, MessageRocksDBStorage storage) {
    Answers answers = new Answers();
    byte[] last = null;
    List<TimerRocksDBRecord> timers;
    do {
      timers = storage.scanRecordsForTimer(TIMER_COLUMN_FAMILY, HOUR, HOUR + ROWS, 1000, last);
      for (TimerRocksDBRecord timer : timers) {
        answers.row(timer.getKeyBytes(), timer.getValueBytes());
        last = timer.getKeyBytes();
      }
    } while (timers.size() > 1);
    for (TransRocksDBRecord transaction : storage.scanRecordsForTrans(TRANS_COLUMN_FAMILY, ROWS, null)) {
      answers.row(transaction.getUniqKey(), transaction.getOffsetPy(), transaction.getCheckTimes());
    }
    answers.row(
        storage.queryOffsetForIndex(
            RocksDB.DEFAULT_COLUMN_FAMILY, "topic", "K", "key 3", HOUR - 1, HOUR + ROWS, 50, null));
    answers.row(storage.getCheckpointForTimer(TIMER_COLUMN_FAMILY, TIMELINE_CHECK_POINT));
    answers.row(storage.getLastOffsetPy(TRANS_COLUMN_FAMILY),
        storage.getLastStoreTimeStampForIndex(RocksDB.DEFAULT_COLUMN_FAMILY));
    answers.end(step);
  }

  private static void start(AbstractRocksDBStorage storage) {
    if (!storage.start()) {
      throw new IllegalStateException("it does not start");
    }
  }

  private static ByteBuffer direct(String text) {
    return ByteBuffer.allocateDirect(text.length()).put(bytes(text)).flip();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
