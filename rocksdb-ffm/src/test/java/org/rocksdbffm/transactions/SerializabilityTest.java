/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionalDb;
import org.rocksdbffm.tools.LiveObjectsCheck;
import org.rocksdbffm.tools.Sweeps;

/**
 * Transactions of eight threads on a few keys have the same effect as sequential transactions: each value names the
 * transaction that wrote it, each transaction records its reads and writes, and the order that these imply has no
 * cycle.
 */
@ExtendWith(LiveObjectsCheck.class)
final class SerializabilityTest {
  private static final int THREADS = 8;
  private static final int KEYS = 6;
  private static final int TRANSACTIONS = Sweeps.of(40_000, 400_000);
  private static final long FIRST = 0;

  @TempDir Path folder;

  /** A committed transaction: the writers of the values that it read, and the keys that it wrote. */
  private record Committed(long id, long[] read, boolean[] written) {}

  @ParameterizedTest
  @EnumSource(TransactionCase.Kind.class)
  void whatIsReadForUpdateAndWrittenIsSerializable(TransactionCase.Kind kind) throws Exception {
    List<Committed> history = new ArrayList<>();
    try (TransactionalDb db = kind.open(folder, FamilyOptions.defaults())) {
      for (int key = 0; key < KEYS; key++) {
        db.put(key(key), value(FIRST));
      }
      history.addAll(run(db));
    }
    assertEquals(TRANSACTIONS, history.size());
    assertEquals("", circle(history));
  }

  private static List<Committed> run(TransactionalDb db) throws Exception {
    AtomicLong ids = new AtomicLong(FIRST);
    ConcurrentLinkedQueue<Committed> history = new ConcurrentLinkedQueue<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        SplittableRandom random = new SplittableRandom(thread);
        all.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < TRANSACTIONS / THREADS; i++) {
                    history.add(db.callInTransaction(transaction -> one(transaction, ids, random)));
                  }
                }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
    return List.copyOf(history);
  }

  /** Reads some keys for update, in random order, and writes some of them; sometimes rolls back a part. */
  private static Committed one(Transaction transaction, AtomicLong ids, SplittableRandom random) {
    long id = ids.incrementAndGet();
    long[] read = new long[KEYS];
    boolean[] written = new boolean[KEYS];
    Arrays.fill(read, -1);
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      int key = random.nextInt(KEYS);
      if (read[key] >= 0) {
        continue;
      }
      KeyReader reader = random.nextBoolean() ? transaction.forUpdate() : transaction.toShare();
      read[key] = writer(reader.get(key(key)));
      if (random.nextInt(3) != 0) {
        transaction.put(key(key), value(id));
        written[key] = true;
      } else if (random.nextInt(4) == 0) {
        transaction.setSavePoint();
        transaction.put(key(random.nextInt(KEYS)), value(-id));
        transaction.rollbackToSavePoint();
      }
    }
    return new Committed(id, read, written);
  }

  private static byte[] key(int number) {
    return bytes("key" + number);
  }

  private static byte[] value(long id) {
    return ByteBuffer.allocate(Long.BYTES).putLong(id).array();
  }

  private static long writer(byte[] value) {
    return ByteBuffer.wrap(value).getLong();
  }

  /** Returns the first contradiction to every sequential order; an empty text if there is none. */
  private static String circle(List<Committed> history) {
    Map<Long, Committed> byId = new HashMap<>();
    history.forEach(each -> byId.put(each.id, each));
    List<Map<Long, Long>> overwrittenBy = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      Map<Long, Long> successors = new HashMap<>();
      for (Committed each : history) {
        if (each.read[key] > FIRST && !byId.containsKey(each.read[key])) {
          return each.id + " has read of key " + key + " what " + each.read[key] + " wrote, which was not committed";
        }
        if (each.written[key]) {
          Long other = successors.put(each.read[key], each.id);
          if (other != null) {
            return other + " and " + each.id + " both have overwritten what " + each.read[key] + " wrote to key " + key;
          }
        }
      }
      overwrittenBy.add(successors);
    }
    Map<Long, List<Long>> before = new HashMap<>();
    for (Committed each : history) {
      for (int key = 0; key < KEYS; key++) {
        if (each.read[key] >= 0) {
          before.computeIfAbsent(each.read[key], ignored -> new ArrayList<>()).add(each.id);
          Long next = overwrittenBy.get(key).get(each.read[key]);
          if (next != null && next != each.id) {
            before.computeIfAbsent(each.id, ignored -> new ArrayList<>()).add(next);
          }
        }
      }
    }
    return unordered(before, byId);
  }

  /** Repeatedly removes transactions without predecessors; the rest is in a cycle, or after one. */
  private static String unordered(Map<Long, List<Long>> before, Map<Long, Committed> byId) {
    Map<Long, Integer> predecessors = new HashMap<>();
    before.values().forEach(ids -> ids.forEach(id -> predecessors.merge(id, 1, Integer::sum)));
    Deque<Long> free = new ArrayDeque<>(List.of(FIRST));
    byId.keySet().stream().filter(id -> !predecessors.containsKey(id)).forEach(free::add);
    int ordered = 0;
    while (!free.isEmpty()) {
      long id = free.poll();
      ordered++;
      for (long next : before.getOrDefault(id, List.of())) {
        if (predecessors.merge(next, -1, Integer::sum) == 0) {
          free.add(next);
        }
      }
    }
    return ordered == byId.size() + 1 ? "" : byId.size() + 1 - ordered + " transactions are in a circle";
  }

  @Test
  void theCheckerFindsALostUpdateADirtyReadAndASkew() {
    Committed first = of(1, 0, true, -1, false);
    assertTrue(circle(List.of(first, of(2, 0, true, -1, false))).contains("both have overwritten"));
    assertTrue(circle(List.of(of(1, 7, true, -1, false))).contains("was not committed"));
    assertTrue(
        circle(List.of(of(1, 0, true, 0, false), of(2, 0, false, 0, true))).contains("in a circle"));
    assertEquals("", circle(List.of(first, of(2, 1, true, -1, false))));
  }

  private static Committed of(long id, long first, boolean writesFirst, long second, boolean writesSecond) {
    long[] read = new long[KEYS];
    Arrays.fill(read, -1);
    read[0] = first;
    read[1] = second;
    boolean[] written = new boolean[KEYS];
    written[0] = writesFirst;
    written[1] = writesSecond;
    return new Committed(id, read, written);
  }
}
