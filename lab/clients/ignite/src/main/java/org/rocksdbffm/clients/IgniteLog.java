/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.ignite.internal.manager.ComponentContext;
import org.apache.ignite.internal.raft.storage.LogStorageFactory;
import org.apache.ignite.internal.raft.util.SharedLogStorageFactoryUtils;
import org.apache.ignite.raft.jraft.conf.ConfigurationManager;
import org.apache.ignite.raft.jraft.entity.EnumOutter.EntryType;
import org.apache.ignite.raft.jraft.entity.LogEntry;
import org.apache.ignite.raft.jraft.entity.LogId;
import org.apache.ignite.raft.jraft.entity.codec.v1.LogEntryV1CodecFactory;
import org.apache.ignite.raft.jraft.option.LogStorageOptions;
import org.apache.ignite.raft.jraft.option.RaftOptions;
import org.apache.ignite.raft.jraft.storage.LogStorage;

/** The logs of several raft groups that share a database. */
final class IgniteLog {
  private static final int GROUPS = 3;
  private static final int ENTRIES = 2000;

  private IgniteLog() {}

  public static void main(String[] arguments) {
    LogStorageFactory factory = start();
    List<LogStorage> logs = logs(factory);
    for (int group = 0; group < GROUPS; group++) {
      append(group, logs.get(group));
      read("group " + group, logs.get(group));
    }
    Answers.say("truncated", logs.get(0).truncatePrefix(500), logs.get(1).truncateSuffix(700), logs.get(2).reset(5000));
    readAll("truncated", logs);
    factory.destroyLogStorage("group 2");
    stop(factory, logs);
    factory = start();
    logs = logs(factory);
    readAll("reopened", logs);
    stop(factory, logs);
    System.exit(0); // its thread pools are never shut down
  }

  private static LogStorageFactory start() {
    LogStorageFactory factory = SharedLogStorageFactoryUtils.create("node", Path.of("log").toAbsolutePath());
    factory.startAsync(new ComponentContext()).join();
    return factory;
  }

  private static void stop(LogStorageFactory factory, List<LogStorage> logs) {
    logs.forEach(LogStorage::shutdown);
    factory.stopAsync(new ComponentContext()).join();
  }

  private static List<LogStorage> logs(LogStorageFactory factory) {
    List<LogStorage> logs = new ArrayList<>();
    for (int group = 0; group < GROUPS; group++) {
      LogStorageOptions options = new LogStorageOptions();
      options.setConfigurationManager(new ConfigurationManager());
      options.setLogEntryCodecFactory(LogEntryV1CodecFactory.getInstance());
      LogStorage log = factory.createLogStorage("group " + group, new RaftOptions());
      if (!log.init(options)) {
        throw new IllegalStateException("no log");
      }
      logs.add(log);
    }
    return logs;
  }

  private static void append(int group, LogStorage log) {
    List<LogEntry> entries = new ArrayList<>();
    for (int index = 1; index <= ENTRIES; index++) {
      LogEntry entry = new LogEntry(EntryType.ENTRY_TYPE_DATA);
      entry.setId(new LogId(index, 1 + index / 100));
      entry.setData(ByteBuffer.wrap(("entry " + index + " of " + group).getBytes()));
      entries.add(entry);
    }
    Answers.say("appended", log.appendEntries(entries));
  }

  private static void readAll(String step, List<LogStorage> logs) {
    for (int group = 0; group < GROUPS; group++) {
      read(step + " " + group, logs.get(group));
    }
  }

  private static void read(String step, LogStorage log) {
    Answers answers = new Answers();
    for (long index = log.getFirstLogIndex(); index <= log.getLastLogIndex(); index++) {
      LogEntry entry = log.getEntry(index);
      byte[] data = new byte[entry.getData().remaining()];
      entry.getData().duplicate().get(data);
      answers.row(index, entry.getId(), new String(data));
    }
    answers.row(log.getFirstLogIndex(), log.getLastLogIndex(), log.getEntry(499), log.getTerm(600));
    answers.end(step);
  }
}
