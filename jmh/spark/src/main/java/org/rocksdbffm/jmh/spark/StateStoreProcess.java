/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.spark;

import java.nio.file.Path;
import java.util.Random;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.sql.execution.streaming.state.PrefixKeyScanStateEncoderSpec;
import org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider;
import org.apache.spark.sql.execution.streaming.state.StateStore;
import org.apache.spark.sql.execution.streaming.state.StateStoreConf;
import org.apache.spark.sql.execution.streaming.state.StateStoreId;
import org.apache.spark.sql.execution.streaming.state.StateStoreIterator;
import org.apache.spark.sql.execution.streaming.state.StateStoreProvider;
import org.apache.spark.sql.execution.streaming.state.StateStoreProviderId;
import org.apache.spark.sql.execution.streaming.state.UnsafeRowPair;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;
import org.rocksdbffm.jmh.process.Printed;
import org.rocksdbffm.jmh.programs.process.Meter;
import org.rocksdbffm.jmh.programs.process.ProcessFigures;
import scala.Option;
import scala.collection.immutable.Map$;

/**
 * Runs Spark's RocksDB state store like a task of a streaming query, but without a session, and prints its
 * measurements. Batches count events by user and item, remove some counts, read a user's counts, and commit to a
 * changelog, sometimes with a snapshot. It uses the {@code org.rocksdb} of the class path.
 */
public final class StateStoreProcess {
  private static final String SETTING = "spark.sql.streaming.stateStore.rocksdb.";
  private static final String FAMILY = "default";
  private static final int USERS = 4_000;
  private static final int ITEMS = 16;
  private static final int VALUE_SIZE = 100;
  private static final byte[] PAYLOAD = new byte[VALUE_SIZE];
  private static final int STEPS_IN_BATCH = 2_000;
  private static final int BATCHES_BETWEEN_SNAPSHOTS = 10;
  private static final int STEPS_BETWEEN_SCANS = 16;
  private static final int STEPS_BETWEEN_REMOVALS = 8;
  private static final long SEED = 42;

  private final StateStoreProvider provider;
  private final Random random = new Random(SEED);
  private final UnsafeRowWriter keys = new UnsafeRowWriter(2);
  private final UnsafeRowWriter users = new UnsafeRowWriter(1);
  private final UnsafeRowWriter values = new UnsafeRowWriter(2, VALUE_SIZE);
  private StateStore store;
  private long version;

  private StateStoreProcess(Path folder) {
    provider = open(folder);
    store = provider.getStore(version, Option.empty(), false, false);
  }

  /**
   * Runs the state store.
   *
   * @param arguments the engine, the program, an empty folder, and the steps of warm-up and measurement
   */
  public static void main(String[] arguments) {
    long started = System.nanoTime();
    long warmUp = Long.parseLong(arguments[3]);
    Meter meter = new Meter(1, started, warmUp);
    StateStoreProcess process = new StateStoreProcess(Path.of(arguments[2]));
    ProcessFigures figures = meter.end(process.run(meter.lane(), warmUp + Long.parseLong(arguments[4])));
    process.provider.close();
    System.out.println(Printed.line(figures));
  }

  private static StateStoreProvider open(Path folder) {
    System.setProperty("spark.local.dir", folder.resolve("local").toString());
    SQLConf settings = new SQLConf();
    settings.setConfString("spark.sql.streaming.stateStore.providerClass", RocksDBStateStoreProvider.class.getName());
    settings.setConfString(SETTING + "changelogCheckpointing.enabled", "true");
    settings.setConfString("spark.sql.streaming.stateStore.minDeltasForSnapshot", "" + BATCHES_BETWEEN_SNAPSHOTS);
    StructType key = new StructType().add("user", "long").add("item", "long");
    StructType value = new StructType().add("count", "long").add("payload", "binary");
    StateStoreId id = new StateStoreId(folder.resolve("checkpoint").toUri().toString(), 0, 0, "counts");
    Configuration hadoop = new Configuration();
    UUID run = new UUID(SEED, SEED);
    hadoop.set("spark.sql.streaming.runId", run.toString());
    return StateStoreProvider.createAndInit(
        new StateStoreProviderId(id, run),
        key,
        value,
        new PrefixKeyScanStateEncoderSpec(key, 1),
        false,
        new StateStoreConf(settings, Map$.MODULE$.empty()),
        hadoop,
        false,
        Option.empty());
  }

  private long run(Meter.Lane lane, long steps) {
    long sum = 0;
    long before = System.nanoTime();
    for (long step = 1; step <= steps; step++) {
      sum += step(step);
      if (step % STEPS_IN_BATCH == 0) {
        endBatch();
      }
      long now = System.nanoTime();
      lane.did(now - before);
      before = now;
    }
    store.abort();
    return sum;
  }

  /** Processes an event, which sometimes removes a count, or reads a user's counts. */
  private long step(long step) {
    int user = random.nextInt(USERS);
    UnsafeRow key = key(user, random.nextInt(ITEMS));
    if (step % STEPS_BETWEEN_REMOVALS == 0) {
      store.remove(key, FAMILY);
      return 0;
    }
    UnsafeRow old = store.get(key, FAMILY);
    long count = old == null ? 1 : old.getLong(0) + 1;
    store.put(key, value(count, old), FAMILY);
    return step % STEPS_BETWEEN_SCANS == 1 ? count + scan(user) : count;
  }

  private long scan(int user) {
    users.reset();
    users.zeroOutNullBytes();
    users.write(0, (long) user);
    long sum = 0;
    try (StateStoreIterator<UnsafeRowPair> counts = store.prefixScan(users.getRow(), FAMILY)) {
      while (counts.hasNext()) {
        UnsafeRowPair pair = counts.next();
        sum += pair.key().getLong(1) * pair.value().getLong(0) + pair.value().getBinary(1).length;
      }
    }
    return sum;
  }

  /** Commits, and runs the maintenance, which uploads a snapshot; Spark runs it periodically in a separate thread. */
  private void endBatch() {
    version = store.commit();
    if (version % BATCHES_BETWEEN_SNAPSHOTS == 0) {
      provider.doMaintenance();
    }
    store = provider.getStore(version, Option.empty(), false, false);
  }

  private UnsafeRow key(long user, long item) {
    keys.reset();
    keys.zeroOutNullBytes();
    keys.write(0, user);
    keys.write(1, item);
    return keys.getRow();
  }

  private UnsafeRow value(long count, UnsafeRow old) {
    values.reset();
    values.zeroOutNullBytes();
    values.write(0, count);
    values.write(1, old == null ? PAYLOAD : old.getBinary(1));
    return values.getRow();
  }
}
