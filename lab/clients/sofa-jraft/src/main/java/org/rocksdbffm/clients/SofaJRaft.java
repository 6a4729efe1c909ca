/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.conf.ConfigurationManager;
import com.alipay.sofa.jraft.entity.EnumOutter.EntryType;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.entity.LogId;
import com.alipay.sofa.jraft.entity.codec.v2.LogEntryV2CodecFactory;
import com.alipay.sofa.jraft.option.LogStorageOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.rhea.options.RocksDBOptions;
import com.alipay.sofa.jraft.rhea.storage.BaseKVStoreClosure;
import com.alipay.sofa.jraft.rhea.storage.KVEntry;
import com.alipay.sofa.jraft.rhea.storage.KVIterator;
import com.alipay.sofa.jraft.rhea.storage.KVStoreClosure;
import com.alipay.sofa.jraft.rhea.storage.RocksDBBackupInfo;
import com.alipay.sofa.jraft.rhea.storage.RocksRawKVStore;
import com.alipay.sofa.jraft.storage.impl.RocksDBLogStorage;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The log of a Raft group, and the replicated key-value store with its backup. */
final class SofaJRaft {
  private static final int ENTRIES = 5000;

  private SofaJRaft() {}

  public static void main(String[] arguments) throws IOException {
    log();
    store();
    System.exit(0); // its thread pools are never shut down
  }

  private static void log() {
    RocksDBLogStorage log = openLog();
    List<LogEntry> batch = new ArrayList<>();
    for (int index = 1; index <= ENTRIES; index++) {
      batch.add(entry(index));
    }
    Answers.say("appended", log.appendEntries(batch), log.appendEntry(entry(ENTRIES + 1)));
    readLog("log", log);
    Answers.say("truncated", log.truncatePrefix(1000), log.truncateSuffix(4000));
    readLog("log truncated", log);
    log.shutdown();
    log = openLog();
    readLog("log reopened", log);
    Answers.say("reset", log.reset(9000));
    readLog("log reset", log);
    log.shutdown();
  }

  private static RocksDBLogStorage openLog() {
    LogStorageOptions options = new LogStorageOptions();
    options.setConfigurationManager(new ConfigurationManager());
    options.setLogEntryCodecFactory(LogEntryV2CodecFactory.getInstance());
    options.setGroupId("group");
    RocksDBLogStorage log = new RocksDBLogStorage(new File("log").getAbsolutePath(), new RaftOptions());
    require(log.init(options));
    return log;
  }

  private static void readLog(String step, RocksDBLogStorage log) {
    Answers answers = new Answers();
    for (long index = log.getFirstLogIndex(); index <= log.getLastLogIndex(); index++) {
      LogEntry entry = log.getEntry(index);
      answers.row(index, entry.getId(), new String(entry.getData().array()));
    }
    answers.row(log.getFirstLogIndex(), log.getLastLogIndex(), log.getEntry(999), log.getTerm(2000));
    answers.end(step);
  }

  private static LogEntry entry(int index) {
    LogEntry entry = new LogEntry(EntryType.ENTRY_TYPE_DATA);
    entry.setId(new LogId(index, 1 + index / 100));
    entry.setData(ByteBuffer.wrap(("entry " + index).getBytes()));
    return entry;
  }

  private static void store() throws IOException {
    RocksRawKVStore store = openStore();
    for (int row = 0; row < ENTRIES; row++) {
      byte[] key = key(row);
      byte[] value = ("value " + row).getBytes();
      call(done -> store.put(key, value, done));
    }
    call(done -> store.merge(key(7), "merged".getBytes(), done));
    call(done -> store.deleteRange(key(100), key(200), done));
    call(done -> store.delete(List.of(key(1), key(2)), done));
    Answers.say("put if absent", found(call(done -> store.putIfAbsent(key(3), key(0), done))));
    Answers.say("compare and put", call(done -> store.compareAndPut(key(3), "value 3".getBytes(), key(9), done)));
    Answers.say("get and put", found(call(done -> store.getAndPut(key(4), key(8), done))));
    Answers.say("sequence", call(done -> store.getSequence("sequence".getBytes(), 10, done)));
    read("store", store);
    File backup = new File("backup");
    require(backup.mkdirs());
    RocksDBBackupInfo copy = store.backupDB(backup.getAbsolutePath());
    call(done -> store.deleteRange(key(0), key(4000), done));
    read("store emptied", store);
    store.restoreBackup(backup.getAbsolutePath(), copy);
    read("store restored", store);
    store.shutdown();
    RocksRawKVStore again = openStore();
    read("store reopened", again);
    again.shutdown();
  }

  private static RocksRawKVStore openStore() {
    RocksDBOptions options = new RocksDBOptions();
    options.setDbPath(new File("store").getAbsolutePath());
    RocksRawKVStore store = new RocksRawKVStore("region");
    require(store.init(options));
    return store;
  }

  private static void read(String step, RocksRawKVStore store) {
    Answers answers = new Answers();
    try (KVIterator rows = store.localIterator()) {
      for (rows.seekToFirst(); rows.isValid(); rows.next()) {
        answers.row(rows.key(), rows.value());
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    scanned(answers, call(done -> store.scan(key(50), key(300), 120, false, true, done)));
    scanned(answers, call(done -> store.reverseScan(key(300), key(50), 120, false, true, done)));
    answers.row(found(call(done -> store.get(key(7), done))), call(done -> store.containsKey(key(1), done)));
    answers.row(found(store.jumpOver(key(10), 500)));
    answers.end(step);
  }

  private static void scanned(Answers answers, Object rows) {
    for (Object row : (List<?>) rows) {
      KVEntry entry = (KVEntry) row;
      answers.row(entry.getKey(), entry.getValue());
    }
  }

  private static String found(Object value) {
    return value == null ? "none" : new String((byte[]) value);
  }

  /** Returns the result of an operation, which the store completes before it returns. */
  private static Object call(Consumer<KVStoreClosure> operation) {
    BaseKVStoreClosure done =
        new BaseKVStoreClosure() {
          @Override
          public void run(Status status) {
            if (!status.isOk()) {
              throw new IllegalStateException(status.toString());
            }
          }
        };
    operation.accept(done);
    return done.getData();
  }

  private static void require(boolean done) {
    if (!done) {
      throw new IllegalStateException("refused");
    }
  }

  private static byte[] key(int row) {
    return String.format("key-%08d", row).getBytes();
  }
}
