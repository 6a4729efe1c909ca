/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import com.alipay.sofa.jraft.conf.ConfigurationManager;
import com.alipay.sofa.jraft.entity.EnumOutter.EntryType;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.entity.LogId;
import com.alipay.sofa.jraft.entity.codec.v2.LogEntryV2CodecFactory;
import com.alipay.sofa.jraft.option.LogStorageOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.rhea.options.RocksDBOptions;
import com.alipay.sofa.jraft.rhea.storage.RocksRawKVStore;
import com.alipay.sofa.jraft.storage.impl.RocksDBLogStorage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Phases of a Raft log and of a replicated store, from creation to reopening. */
final class SofaJRaftPhases {
  private static final int BATCH = 32;
  private static final int BATCHES = 6_000;
  private static final int STEPS = 60_000;
  private static final int KEYS = 100_000;
  private static final byte[] VALUE = new byte[200];

  private SofaJRaftPhases() {}

  public static void main(String[] arguments) throws Exception {
    try (Phases phases = new Phases(arguments)) {
      log(phases);
      store(phases);
    }
    System.exit(0); // its thread pools are never shut down
  }

  private static void log(Phases phases) throws Exception {
    LogStorageOptions options = new LogStorageOptions();
    options.setConfigurationManager(new ConfigurationManager());
    options.setLogEntryCodecFactory(LogEntryV2CodecFactory.getInstance());
    options.setGroupId("group");
    RaftOptions raft = new RaftOptions();
    raft.setSync(false);
    RocksDBLogStorage log = new RocksDBLogStorage(phases.path("log"), raft);
    require(log.init(options));
    Random random = new Random(1);
    long entries = (long) BATCHES * BATCH;
    phases.run("raft log: append 32", BATCHES, batch -> require(log.appendEntries(batch(batch)) == BATCH));
    phases.run("raft log: last index", STEPS, step -> require(log.getLastLogIndex() == entries));
    phases.run("raft log: entry", STEPS, step -> require(log.getEntry(1 + random.nextLong(entries)) != null));
    log.shutdown();
  }

  private static List<LogEntry> batch(int number) {
    List<LogEntry> batch = new ArrayList<>();
    for (int i = 1; i <= BATCH; i++) {
      LogEntry entry = new LogEntry(EntryType.ENTRY_TYPE_DATA);
      entry.setId(new LogId((long) number * BATCH + i, 1));
      entry.setData(ByteBuffer.wrap(VALUE));
      batch.add(entry);
    }
    return batch;
  }

  private static void store(Phases phases) throws Exception {
    RocksDBOptions options = new RocksDBOptions();
    options.setDbPath(phases.path("store"));
    RocksRawKVStore store = new RocksRawKVStore("region");
    require(store.init(options));
    Random random = new Random(2);
    phases.run("rhea store: put", KEYS, step -> store.put(key(step), VALUE, null));
    phases.run("rhea store: get", KEYS, step -> store.get(key(random.nextInt(KEYS)), null));
    phases.run("rhea store: scan 10", STEPS, step ->
        store.scan(key(random.nextInt(KEYS)), null, 10, false, true, null));
    phases.run("rhea store: delete", KEYS, step -> store.delete(key(step), null));
    store.shutdown();
  }

  private static void require(boolean done) {
    if (!done) {
      throw new IllegalStateException("refused");
    }
  }

  private static byte[] key(int row) {
    return ByteBuffer.allocate(Long.BYTES).putLong(row).array();
  }
}
