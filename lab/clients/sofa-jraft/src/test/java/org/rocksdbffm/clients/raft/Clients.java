/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.raft;

import com.alipay.sofa.jraft.rhea.client.DefaultRheaKVStore;
import com.alipay.sofa.jraft.rhea.options.BatchingOptions;
import com.alipay.sofa.jraft.rhea.options.RegionRouteTableOptions;
import com.alipay.sofa.jraft.rhea.options.RheaKVStoreOptions;
import com.alipay.sofa.jraft.rhea.storage.CASEntry;
import com.alipay.sofa.jraft.rhea.util.Constants;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.rocksdbffm.clients.raft.Operation.Kind;

/**
 * Clients that write and read as fast as possible. They share a few keys, and switch to other keys after a write
 * without a reply, so that each key has at most one such write per client. Each client also puts private keys, once
 * each.
 */
final class Clients implements AutoCloseable {
  private static final int CLIENTS = 4;
  private static final int SHARED_KEYS = 3;
  private static final int OPERATIONS_OF_KEYS = 1000;
  private static final String PADDING = " ".repeat(200);

  private final DefaultRheaKVStore store = new DefaultRheaKVStore();
  private final Queue<Operation> operations = new ConcurrentLinkedQueue<>();
  private final AtomicInteger generation = new AtomicInteger();
  private final AtomicLong values = new AtomicLong(Operation.ABSENT);
  private final AtomicLong answers = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ending;

  Clients(String endpoints, long seed) {
    BatchingOptions oneByOne = new BatchingOptions();
    oneByOne.setAllowBatching(false);
    RegionRouteTableOptions region = new RegionRouteTableOptions();
    region.setRegionId(Constants.DEFAULT_REGION_ID);
    RheaKVStoreOptions options = Member.options(endpoints);
    options.getPlacementDriverOptions().setRegionRouteTableOptionsList(List.of(region));
    options.setBatchingOptions(oneByOne);
    options.setFailoverRetries(0); // a retried write may be applied twice
    options.setOnlyLeaderRead(false);
    if (!store.init(options)) {
      throw new IllegalStateException("no client");
    }
    for (int client = 0; client < CLIENTS; client++) {
      Session session = new Session(client, new Random(seed * CLIENTS + client));
      threads.add(Thread.ofPlatform().daemon().name("client-" + client).start(session::run));
    }
  }

  /** Returns the number of operations with a reply. */
  long answers() {
    return answers.get();
  }

  List<Operation> operations() {
    return List.copyOf(operations);
  }

  /** Returns the number in a stored value. */
  static long number(String stored) {
    return Long.parseLong(stored.strip());
  }

  private static byte[] bytes(long value) {
    return (value + PADDING).getBytes();
  }

  /** Waits for the last reply to each client, so that no earlier operation takes effect later. */
  @Override
  public void close() throws InterruptedException {
    ending = true;
    for (Thread thread : threads) {
      if (!thread.join(Duration.ofMinutes(2))) {
        throw new AssertionError(thread + " is not answered");
      }
    }
    store.shutdown();
  }

  /** The sequential operations of one client. */
  private final class Session {
    private final int client;
    private final Random random;
    private final Map<String, Long> seen = new HashMap<>();
    private int ownKeys;
    private boolean answered;

    Session(int client, Random random) {
      this.client = client;
      this.random = random;
    }

    void run() {
      while (!ending || !answered) {
        if (random.nextInt(4) == 0) {
          put("own-" + client + "-" + ownKeys++);
          continue;
        }
        int now = generation.get();
        String shared = "-" + random.nextInt(SHARED_KEYS);
        switch (random.nextInt(3)) {
          case 0 -> put("shared-" + now + shared);
          case 1 -> compareAndPut("shared-" + now + shared);
          default -> get("shared-" + (now - random.nextInt(2)) + shared);
        }
      }
    }

    private void put(String key) {
      long value = values.incrementAndGet();
      long start = System.nanoTime();
      Object answer = ask(() -> store.bPut(key, bytes(value)));
      note(key, start, answer == null ? Operation.NEVER : System.nanoTime(), Kind.PUT, 0, value);
    }

    /** Uses a list of one, because {@code compareAndPut}s that are applied together do not see each other's values. */
    private void compareAndPut(String key) {
      Long expected = seen.remove(key);
      if (expected == null) {
        get(key);
        return;
      }
      long value = values.incrementAndGet();
      List<CASEntry> entries = List.of(new CASEntry(key.getBytes(), bytes(expected), bytes(value)));
      long start = System.nanoTime();
      Object answer = ask(() -> store.bCompareAndPutAll(entries));
      long end = answer == null ? Operation.NEVER : System.nanoTime();
      note(key, start, end, Boolean.FALSE.equals(answer) ? Kind.REFUSED : Kind.SWAP, expected, value);
    }

    private void get(String key) {
      long start = System.nanoTime();
      Object answer = ask(() -> value(store.bGet(key)));
      if (answer != null) {
        note(key, start, System.nanoTime(), Kind.GET, 0, (Long) answer);
      }
    }

    private static long value(byte[] stored) {
      return stored == null ? Operation.ABSENT : number(new String(stored));
    }

    private void note(String key, long start, long end, Kind kind, long expected, long value) {
      operations.add(new Operation(key, client, start, end, kind, expected, value));
      if (end == Operation.NEVER) {
        generation.incrementAndGet();
        findLeader();
      } else if (kind != Kind.REFUSED && value != Operation.ABSENT && key.startsWith("shared")) {
        seen.put(key, value);
      }
    }

    /** Returns the reply, or null after a failure, when it is unknown whether the operation takes effect. */
    private Object ask(Supplier<Object> operation) {
      try {
        Object answer = operation.get();
        answered = true;
        if (answers.incrementAndGet() % OPERATIONS_OF_KEYS == 0) {
          generation.incrementAndGet();
        }
        return answer;
      } catch (Exception e) { // the store's client throws undeclared checked exceptions
        answered = false;
        return null;
      }
    }

    private void findLeader() {
      do {
        store.getPlacementDriverClient().refreshRouteConfiguration(Constants.DEFAULT_REGION_ID);
      } while (ask(() -> value(store.bGet("none"))) == null);
    }
  }
}
