/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client that does at random what it must not: many threads use databases that others close and open again,
 * and everything made of them, whether it is open or not. Each thread writes keys of its own, so that every
 * answer can be held against a model. Arguments: seconds, and perhaps a seed.
 *
 * <p>Exits with 0 if no answer was wrong, no exception undocumented, and no native object is left.
 */
final class HostileClient {
  private static final int THREADS = 8;
  private static final int DATABASES = 2;
  private static final int KEYS = 48;
  private static final int KEPT = 6;
  private static final int[] SIZES = {0, 1, 30, 500, 3000, 5000, 9000, 20_000};
  private static final long REOPEN_NANOS = 60_000_000_000L;

  private final long seed;
  private final List<Slot> slots = new ArrayList<>();
  private final Queue<Held> handedOver = new ConcurrentLinkedQueue<>();
  private final Queue<AutoCloseable> graveyard = new ConcurrentLinkedQueue<>();
  private final AtomicReference<MemorySegment> foreignView = new AtomicReference<>(MemorySegment.NULL);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final LongAdder operations = new LongAdder();
  private final LongAdder answers = new LongAdder();
  private final Map<String, LongAdder> exceptions = new ConcurrentSkipListMap<>();

  /** A database that is closed and opened again and again. */
  private static final class Slot {
    final Path folder;
    volatile RocksDb db;
    volatile boolean closed;
    final ReentrantLock closing = new ReentrantLock();

    Slot(Path folder) {
      this.folder = folder;
      this.db = RocksDb.open(folder);
    }
  }

  /** A pinned value of a database with what its bytes must be. */
  private record Held(RocksDb db, PinnedValue value, byte[] expected) {}

  private HostileClient(long seed) {
    this.seed = seed;
    for (int i = 0; i < DATABASES; i++) {
      slots.add(new Slot(Path.of("").toAbsolutePath().resolve("db" + i)));
    }
  }

  public static void main(String[] arguments) throws Exception {
    long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : System.nanoTime();
    System.out.println("seed " + seed);
    new HostileClient(seed).run(Integer.parseInt(arguments[0]));
  }

  private void run(int seconds) throws Exception {
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      Client client = new Client(t);
      threads.add(Thread.ofPlatform().name("client " + t).start(() -> client.run(end)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (Held held : handedOver) {
      held.value.close();
    }
    for (Slot slot : slots) {
      slot.db.close();
    }
    System.out.println(operations.sum() + " operations, " + answers.sum() + " answers checked");
    exceptions.forEach((kind, count) -> System.out.println(count.sum() + " x " + kind));
    if (failure.get() != null) {
      failure.get().printStackTrace(System.out);
      System.exit(1);
    }
    LiveObjectsCheck.awaitNone();
    System.out.println("no native object is left");
  }

  private void count(Throwable e) {
    String message = String.valueOf(e.getMessage());
    String kind =
        e instanceof RocksDbException failed
            ? failed.code().toString()
            : message.replaceAll("(?s).*?( is (not|in|closed|released)| was moved| holds views| reads at)\\b.*", "...$1");
    exceptions.computeIfAbsent(e.getClass().getSimpleName() + ": " + kind, ignored -> new LongAdder()).increment();
  }

  private static boolean isDocumented(Throwable e) {
    return e.getClass() == WrongThreadException.class
        || e.getClass() == IllegalStateException.class
            && e.getMessage()
                .matches(
                    "(?s)(.* is (closed|released).*|.* is in use .*|.* is not at a row.*|.* holds views .*"
                        + "|.* was moved by another thread.*|Already closed|.* reads at a snapshot.*)");
  }

  private static byte[] valueOf(long version, int size) {
    byte[] value = new byte[size];
    new Random(version).nextBytes(value);
    return value;
  }

  private static final class WrongAnswer extends RuntimeException {
    WrongAnswer(String what) {
      super(what);
    }
  }

  private void check(boolean right, String what) {
    answers.increment();
    if (!right) {
      throw new WrongAnswer(what);
    }
  }

  private void check(byte[] expected, byte[] actual, String what) {
    check(Arrays.equals(expected, actual), what);
  }

  private void check(byte[] expected, MemorySegment actual, String what) {
    check(expected != null && MemorySegment.ofArray(expected).mismatch(actual) == -1, what);
  }

  /** One thread with its model of what its keys have. */
  private final class Client {
    private final int number;
    private final Random random;
    private final Map<Slot, NavigableMap<String, byte[]>> rows = new HashMap<>();
    private final Map<Slot, NavigableMap<String, byte[]>> familyRows = new HashMap<>();
    private final Map<Slot, String> families = new HashMap<>();
    private final List<Kept> kept = new ArrayList<>();
    private long versions;

    /** Something opened on a database, to be used and closed later; nothing is expected of what others use too. */
    private record Kept(RocksDb db, AutoCloseable object, NavigableMap<String, byte[]> expected) {}

    Client(int number) {
      this.number = number;
      this.random = new Random(seed * 31 + number);
      for (Slot slot : slots) {
        rows.put(slot, new TreeMap<>());
        familyRows.put(slot, new TreeMap<>());
      }
    }

    void run(long end) {
      try {
        while (System.nanoTime() < end && failure.get() == null) {
          for (int i = 0; i < 20; i++) {
            step();
          }
        }
      } catch (Throwable e) {
        failure.compareAndSet(null, e);
      } finally {
        kept.forEach(this::closeKept);
      }
    }

    private void step() {
      Slot slot = slots.get(random.nextInt(slots.size()));
      RocksDb db = slot.db;
      if (slots.stream().anyMatch(each -> each.closed) || random.nextInt(50) == 0) {
        dropWhatIsOfClosedDatabases();
      }
      if (slot.closed && random.nextInt(20) != 0) {
        Thread.yield(); // most operations are to find it open
        return;
      }
      operations.increment();
      try {
        act(slot, db);
      } catch (WrongAnswer e) {
        throw e;
      } catch (RuntimeException e) {
        if (!isDocumented(e)) {
          throw e;
        }
        count(e);
      }
    }

    /** So that they can be opened again: whoever holds a pin keeps the files. */
    private void dropWhatIsOfClosedDatabases() {
      kept.removeIf(
          each -> {
            boolean old = isOld(each.db);
            if (old) {
              closeKept(each);
            }
            return old;
          });
      for (Held held : handedOver) {
        if (isOld(held.db) && handedOver.remove(held)) {
          held.value.close();
        }
      }
    }

    private boolean isOld(RocksDb db) {
      return slots.stream().noneMatch(slot -> slot.db == db && !slot.closed);
    }

    private void closeKept(Kept each) {
      try {
        each.object.close();
        if (graveyard.size() < 50) {
          graveyard.add(each.object);
        }
      } catch (Exception e) {
        throw new AssertionError("a close failed", e);
      }
    }

    private void keep(RocksDb db, AutoCloseable object, NavigableMap<String, byte[]> expected) {
      kept.add(new Kept(db, object, new TreeMap<>(expected)));
      if (kept.size() > KEPT) {
        closeKept(kept.remove(random.nextInt(kept.size())));
      }
    }

    private String anyName() {
      return "client%d-%02d".formatted(number, random.nextInt(KEYS));
    }

    private byte[] prefix() {
      return ("client" + number + "-").getBytes(UTF_8);
    }

    private void act(Slot slot, RocksDb db) {
      int kind = random.nextInt(10_000);
      if (kind < 3) {
        closeAndOpen(slot, db);
      } else if (kind < 10) {
        renewFamily(slot, db);
      } else if (kind < 14) {
        db.flush();
      } else if (kind < 15) {
        db.compact(KeyRange.prefix(prefix()));
      } else if (kind < 300) {
        useWhatIsClosed();
      } else if (kind < 1500) {
        useKept();
      } else if (kind < 3500) {
        write(slot, db);
      } else if (kind < 4000) {
        iterate(slot, db);
      } else if (kind < 4300) {
        readFamily(slot, db);
      } else {
        read(db, rows.get(slot));
      }
    }

    private void read(RocksDb db, NavigableMap<String, byte[]> model) {
      String name = anyName();
      byte[] key = name.getBytes(UTF_8);
      byte[] expected = model.get(name);
      switch (random.nextInt(9)) {
        case 0, 1 -> check(expected, db.get(key), name);
        case 2 -> {
          byte[] target = new byte[6000];
          long size = db.getInto(key, target);
          check(size == (expected == null ? Reader.ABSENT : expected.length), name + " into an array");
          if (size >= 0 && size <= target.length) {
            check(expected, Arrays.copyOf(target, (int) size), name + " into an array");
          }
        }
        case 3 -> {
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = db.get(MemorySegment.ofArray(key), arena);
            check((value == null) == (expected == null), name + " in an arena");
            if (value != null) {
              check(expected, value, name + " in an arena");
            }
          }
        }
        case 4 -> {
          Boolean same = db.get(key, value -> MemorySegment.ofArray(expected).mismatch(value) == -1);
          check(same == null ? expected == null : same, name + " looked at");
        }
        case 5 -> {
          PinnedValue value = db.getPinned(key);
          check((value == null) == (expected == null), name + " pinned");
          if (value != null) {
            handOver(new Held(db, value, expected));
          }
        }
        case 6 -> takeOver();
        case 7 -> {
          List<String> names = List.of(anyName(), name, anyName(), anyName());
          List<byte[]> values = db.multiGet(names.stream().map(each -> each.getBytes(UTF_8)).toList());
          for (int i = 0; i < names.size(); i++) {
            check(model.get(names.get(i)), values.get(i), names.get(i) + " of many");
          }
        }
        default -> check(expected == null || db.mayExist(key), name + " may exist");
      }
    }

    private void handOver(Held held) {
      if (random.nextInt(4) == 0) {
        try (PinnedValue value = held.value) {
          check(held.expected, value.segment(), "pinned by its owner");
        }
      } else {
        handedOver.add(held);
      }
      if (handedOver.size() > 4 * THREADS) {
        takeOver();
      }
    }

    private void takeOver() {
      Held held = handedOver.poll();
      if (held == null) {
        return;
      }
      try (PinnedValue value = held.value;
          PinnedValue.View view = value.view()) {
        foreignView.set(view.segment());
        check(held.expected, view.segment(), "pinned by another");
        if (random.nextInt(10) == 0) {
          try (PinnedValue again = value.retain()) {
            check(held.expected, again.segment(), "retained");
          }
        }
      }
      graveyard.add(held.value);
      if (graveyard.size() > 100) {
        graveyard.poll();
      }
    }

    private void write(Slot slot, RocksDb db) {
      NavigableMap<String, byte[]> model = rows.get(slot);
      String name = anyName();
      byte[] key = name.getBytes(UTF_8);
      byte[] value = valueOf(++versions * THREADS + number, SIZES[random.nextInt(SIZES.length)]);
      switch (random.nextInt(8)) {
        case 0 -> {
          db.delete(key);
          model.remove(name);
        }
        case 1 -> {
          WriteBatch batch = new WriteBatch();
          String other = anyName();
          batch.put(key, value);
          batch.delete(other.getBytes(UTF_8));
          db.write(batch);
          model.put(name, value);
          model.remove(other);
        }
        case 2 -> {
          String until = "client%d-%02d".formatted(number, Math.min(KEYS, Integer.parseInt(name.substring(8)) + 3));
          db.deleteRange(key, until.getBytes(UTF_8));
          model.subMap(name, until).clear();
        }
        case 3 -> {
          try (Arena arena = Arena.ofConfined()) {
            db.put(arena.allocateFrom(ValueLayout.JAVA_BYTE, key), arena.allocateFrom(ValueLayout.JAVA_BYTE, value));
          }
          model.put(name, value);
        }
        default -> {
          db.put(key, value);
          model.put(name, value);
        }
      }
    }

    private void iterate(Slot slot, RocksDb db) {
      NavigableMap<String, byte[]> model = rows.get(slot);
      KeyRange range = KeyRange.prefix(prefix());
      switch (random.nextInt(6)) {
        case 0 -> {
          try (Scan scan = db.scan(range)) {
            checkRows(scan, model);
          }
        }
        case 1 -> {
          try (Scan scan = db.scanBackward(range)) {
            checkRows(scan, model.descendingMap());
          }
        }
        case 2 -> keep(db, db.scan(range), model);
        case 3 -> keep(db, db.snapshot(), model);
        default -> keep(db, db.cursor(range), model);
      }
    }

    private void checkRows(Scan scan, NavigableMap<String, byte[]> expected) {
      for (Map.Entry<String, byte[]> row : expected.entrySet()) {
        check(scan.next(), "a row is missing: " + row.getKey());
        check(row.getKey().getBytes(UTF_8), scan.key(), "key");
        check(row.getValue(), scan.value(), "value of " + row.getKey());
      }
      check(!scan.next(), "a row too many");
    }

    private void useKept() {
      if (kept.isEmpty()) {
        return;
      }
      int index = random.nextInt(kept.size());
      Kept each = kept.get(index);
      if (each.expected == null) {
        useForeign(each.object);
        return;
      }
      if (random.nextInt(20) == 0) {
        kept.set(index, new Kept(each.db, each.object, null));
        graveyard.add(each.object); // another thread uses it at the same time, or closes it
        return;
      }
      switch (each.object) {
        case Snapshot snapshot -> {
          String name = anyName();
          check(each.expected.get(name), snapshot.get(name.getBytes(UTF_8)), name + " in a snapshot");
        }
        case Cursor cursor -> {
          String name = anyName();
          Map.Entry<String, byte[]> row = each.expected.ceilingEntry(name);
          check(cursor.seek(name.getBytes(UTF_8)) == (row != null), "seek " + name);
          if (row != null) {
            check(row.getKey().getBytes(UTF_8), cursor.key(), "key at " + name);
            check(row.getValue(), cursor.value(), "value at " + name);
            foreignView.set(cursor.value());
          }
        }
        case Scan scan -> {
          if (scan.next()) {
            String name = new String(scan.keyBytes(), UTF_8);
            check(each.expected.get(name), scan.value(), "scanned " + name);
          }
        }
        default -> throw new AssertionError(each);
      }
    }

    private void useWhatIsClosed() {
      MemorySegment view = foreignView.get();
      if (random.nextInt(4) == 0 && view != null && view.byteSize() > 0) {
        view.get(ValueLayout.JAVA_BYTE, view.byteSize() - 1);
        return;
      }
      AutoCloseable object = graveyard.poll();
      if (object == null) {
        return;
      }
      if (random.nextInt(10) != 0) {
        graveyard.add(object);
      }
      useForeign(object);
    }

    private void useForeign(AutoCloseable object) {
      switch (object) {
        case RocksDb db -> db.put(prefix(), prefix());
        case ColumnFamily family -> family.get(prefix());
        case PinnedValue value -> value.segment();
        case Snapshot snapshot -> {
          if (random.nextInt(5) == 0) {
            snapshot.close();
          }
          snapshot.with(ReadOptions.defaults()).get(prefix());
        }
        case Scan scan -> {
          if (random.nextInt(5) == 0) {
            scan.close();
          }
          scan.next();
          scan.valueBytes();
        }
        case Cursor cursor -> {
          switch (random.nextInt(7)) {
            case 0 -> cursor.close();
            case 1 -> cursor.refresh();
            case 2 -> cursor.previous();
            case 3 -> cursor.valueBytes();
            case 4 -> cursor.releaseRow();
            case 5 -> cursor.seek(prefix());
            default -> cursor.next();
          }
        }
        default -> throw new AssertionError(object);
      }
    }

    private void readFamily(Slot slot, RocksDb db) {
      if (!families.containsKey(slot)) {
        return;
      }
      ColumnFamily family = db.columnFamily(families.get(slot));
      NavigableMap<String, byte[]> model = familyRows.get(slot);
      String name = anyName();
      byte[] key = name.getBytes(UTF_8);
      if (random.nextInt(3) == 0) {
        byte[] value = valueOf(++versions * THREADS + number, SIZES[random.nextInt(SIZES.length)]);
        family.put(key, value);
        model.put(name, value);
      } else if (random.nextInt(20) == 0) {
        family.flush();
      } else {
        PinnedValue value = family.getPinned(key);
        check((value == null) == (model.get(name) == null), name + " of a family");
        if (value != null) {
          handOver(new Held(db, value, model.get(name)));
        }
      }
    }

    /** A new family in the place of the last, which is dropped and closed with what is pinned in it. */
    private void renewFamily(Slot slot, RocksDb db) {
      String name = families.remove(slot);
      familyRows.get(slot).clear();
      if (name != null) {
        ColumnFamily old = db.columnFamily(name);
        graveyard.add(old);
        db.dropColumnFamily(old);
        old.close();
      }
      name = "family" + number + "-" + ++versions;
      db.createColumnFamily(name, Options.defaults());
      families.put(slot, name);
    }

    private void closeAndOpen(Slot slot, RocksDb db) {
      if (!slot.closing.tryLock()) {
        return; // whoever waits here would keep its pins
      }
      try {
        if (slot.db != db) {
          return;
        }
        db.close();
        graveyard.add(db);
        slot.closed = true;
        dropWhatIsOfClosedDatabases();
        long end = System.nanoTime() + REOPEN_NANOS;
        while (slot.closed) {
          RocksDb opened = openUnlessLocked(slot.folder, end);
          if (opened != null) {
            slot.db = opened;
            slot.closed = false;
          }
        }
      } finally {
        slot.closing.unlock();
      }
    }

    private RocksDb openUnlessLocked(Path folder, long end) {
      try {
        return RocksDb.open(folder);
      } catch (RocksDbException locked) {
        if (locked.code() != RocksDbException.Code.IO_ERROR || System.nanoTime() > end) {
          throw locked;
        }
        count(locked);
        dropWhatIsOfClosedDatabases();
        // The view of a row that nobody goes back to ends when the collector finds it.
        foreignView.set(MemorySegment.NULL);
        System.gc();
        return null;
      }
    }
  }
}
