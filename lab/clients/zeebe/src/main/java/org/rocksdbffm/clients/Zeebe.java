/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import io.camunda.zeebe.db.AccessMetricsConfiguration;
import io.camunda.zeebe.db.ColumnFamily;
import io.camunda.zeebe.db.ConsistencyChecksSettings;
import io.camunda.zeebe.db.TransactionContext;
import io.camunda.zeebe.db.ZeebeDb;
import io.camunda.zeebe.db.impl.DbLong;
import io.camunda.zeebe.db.impl.DbString;
import io.camunda.zeebe.db.impl.rocksdb.RocksDbConfiguration;
import io.camunda.zeebe.db.impl.rocksdb.ZeebeRocksDbFactory;
import io.camunda.zeebe.protocol.ZbColumnFamilies;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.File;
import java.io.IOException;

/** The state of a workflow engine's partition: jobs, changed in transactions, and a snapshot. */
final class Zeebe {
  static final int JOBS = 3000;
  static final String STATE = "state";

  private final DbLong key = new DbLong();
  private final DbString value = new DbString();

  private Zeebe() {}

  /** With an argument, keeps the state open until the standard input ends. */
  public static void main(String[] arguments) throws Exception {
    ZeebeRocksDbFactory<ZbColumnFamilies> factory =
        new ZeebeRocksDbFactory<>(
            new RocksDbConfiguration().setMemoryLimit(16 << 20).setStatisticsEnabled(true),
            new ConsistencyChecksSettings(true, true),
            new AccessMetricsConfiguration(AccessMetricsConfiguration.Kind.NONE, 1),
            SimpleMeterRegistry::new);
    try (ZeebeDb<ZbColumnFamilies> db = factory.createDb(new File(STATE))) {
      new Zeebe().work(db, arguments.length > 0);
      db.createSnapshot(new File("snapshot"));
    }
    try (ZeebeDb<ZbColumnFamilies> db = factory.createDb(new File("snapshot"))) {
      TransactionContext context = db.createContext();
      new Zeebe().read("snapshot", context, new Zeebe().jobs(db, context));
    }
  }

  private ColumnFamily<DbLong, DbString> jobs(ZeebeDb<ZbColumnFamilies> db, TransactionContext context) {
    return db.createColumnFamily(ZbColumnFamilies.JOBS, context, key, value);
  }

  private void work(ZeebeDb<ZbColumnFamilies> db, boolean waits) throws IOException {
    TransactionContext context = db.createContext();
    ColumnFamily<DbLong, DbString> jobs = jobs(db, context);
    for (int first = 0; first < JOBS; first += 100) {
      int batch = first;
      context.runInTransaction(() -> {
        for (int job = batch; job < batch + 100; job++) {
          key.wrapLong(job);
          value.wrapString("job " + job);
          jobs.insert(key, value);
        }
      });
    }
    read("filled", context, jobs);
    while (waits && System.in.read() >= 0) {
      continue;
    }
    context.runInTransaction(() -> {
      for (int job = 0; job < JOBS; job += 3) {
        key.wrapLong(job);
        jobs.deleteExisting(key);
        key.wrapLong(job + 1);
        value.wrapString("changed");
        jobs.update(key, value);
      }
    });
    read("worked", context, jobs);
    Answers.say("empty", db.isEmpty(ZbColumnFamilies.JOBS, context), db.isEmpty(ZbColumnFamilies.TIMERS, context));
  }

  private void read(String step, TransactionContext context, ColumnFamily<DbLong, DbString> jobs) {
    Answers answers = new Answers();
    context.runInTransaction(() -> jobs.forEach((job, text) -> answers.row(job.getValue(), text)));
    answers.end(step);
    Answers.say("count", jobs.count());
  }
}
