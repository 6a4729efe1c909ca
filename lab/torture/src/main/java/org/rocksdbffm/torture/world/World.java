/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.rocksdbffm.Backups;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.WriteBatch;

/** The databases that the clients of a case share, and the objects created from them, open or closed. */
public final class World {
  static final int DATABASES = 2;
  public static final char DELIMITER = ',';

  /** The options of all families; like in the model, merges append. */
  public static final FamilyOptions OPTIONS =
      FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(DELIMITER));

  public final Tally tally;
  final int clients;
  public final List<Slot> slots = new ArrayList<>();
  public final List<Bank> banks;
  public final Yard yard;
  final Queue<Store> stores = new ConcurrentLinkedQueue<>();
  public final AtomicInteger names = new AtomicInteger();

  /**
   * The number of pauses of background work that were started; after the first, calls that need background work may be
   * rejected.
   */
  public final AtomicInteger pausesBegun = new AtomicInteger();

  public final Pool<Place> places = new Pool<>();
  public final Pool<Held<? extends AutoCloseable>> rows = new Pool<>();
  public final Pool<Pin<PinnedValue>> pins = new Pool<>();
  public final Pool<Pin<PinnedValues>> pinBatches = new Pool<>();
  public final Pool<Held<MultiGet>> multiGets = new Pool<>();
  public final Pool<Held<WriteBatch>> batches = new Pool<>();
  public final Pool<Held<Backups>> backups = new Pool<>();
  public final Pool<Held<DatabaseFiles.LogReader>> logs = new Pool<>();
  public final Pool<Held<TableWriter>> tables = new Pool<>();
  public final Pool<Held<DatabaseFiles.Hold>> holds = new Pool<>();
  public final Pool<Held<DatabaseFiles.Pause>> pauses = new Pool<>();
  public final Pool<Held<Transaction>> transactions = new Pool<>();
  public final Pool<Held<BlockCache>> caches = new Pool<>();
  public final Pool<Held<AutoCloseable>> limits = new Pool<>();
  public final Pool<Held<MemorySegment>> segments = new Pool<>();

  private final Map<ColumnFamily, Held<ColumnFamily>> families = new ConcurrentHashMap<>();
  private final Path folder;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  public World(Path folder, int clients, Tally tally) {
    this.folder = folder;
    this.yard = new Yard(folder.resolve("yard"));
    this.clients = clients;
    this.tally = tally;
    for (int i = 0; i < DATABASES; i++) {
      slots.add(new Slot(i));
      renew(slots.get(i));
    }
    banks = List.of(new Bank(newFolder(), true, clients), new Bank(newFolder(), false, clients));
  }

  public Path newFolder() {
    return folder.resolve("db" + names.incrementAndGet());
  }

  /** Replaces a slot's database with a new, empty one. */
  public void renew(Slot slot) {
    Store store = new Store(newFolder(), clients);
    stores.add(store);
    slot.store = store;
    slot.refusals = 0;
    opened(slot, RocksDb.at(store.folder).defaults(OPTIONS).open());
  }

  public void opened(Slot slot, RocksDb db) {
    Held<RocksDb> database = new Held<>(db);
    Store store = slot.store;
    Place place =
        new Place(db, database, store, store.family(RocksDb.DEFAULT_COLUMN_FAMILY), null, true, database);
    slot.place = place;
    slot.database = database;
  }

  /** Returns the state of a family's handle, the same object for the same handle. */
  public Held<ColumnFamily> family(ColumnFamily family, Held<RocksDb> database) {
    return families.computeIfAbsent(family, ignored -> new Held<>(family, database));
  }

  boolean isClosedSomewhere() {
    return slots.stream().anyMatch(slot -> slot.database.isClosed());
  }

  public Slot anySlot(Random random) {
    return slots.get(random.nextInt(slots.size()));
  }

  /** Returns a place to read, mostly an open one. */
  public Place anyPlace(Random random) {
    Place found = random.nextInt(2) == 0 ? null : places.any(random);
    for (int i = 0; i < 6 && (found == null || found.mayBeClosed() && random.nextInt(10) != 0); i++) {
      found = anySlot(random).place;
    }
    return found;
  }

  /** Returns a place to write to, mostly an open one. */
  public Place anyWritable(Random random) {
    Place found = anyPlace(random);
    return found.isWritable() ? found : anySlot(random).place;
  }

  /** Adds an object to a pool; an object that it replaces is closed, or sometimes leaked. */
  public <H extends Held<?>> void add(Pool<? super H> pool, H object, Attempt attempt) {
    @SuppressWarnings("unchecked")
    H old = ((Pool<H>) pool).add(object, attempt.random);
    if (old == null) {
      return;
    }
    if (attempt.oneIn(100) && old.object instanceof AutoCloseable && !(old instanceof Pin)) {
      tally.forgotten();
    } else {
      closeFully(old);
    }
  }

  private void closeFully(Held<?> each) {
    do {
      each.close(tally);
    } while (each instanceof Pin<?> && !each.isClosed());
  }

  /** Closes the objects that prevent a closed database from being reopened. */
  public void letGoOfClosed(Held<RocksDb> database) {
    for (Pool<? extends Pin<?>> pool : List.of(pins, pinBatches)) {
      for (Pin<?> pin : pool.all()) {
        if (pin.database == database) {
          closeFully(pin);
        }
      }
    }
  }

  void fail(Throwable e) {
    failure.compareAndSet(null, e);
  }

  public boolean hasFailed() {
    return failure.get() != null;
  }

  public Throwable failure() {
    return failure.get();
  }

  /** Closes all remaining objects, in random order, after the clients have ended. */
  public void closeAll() {
    List<Held<?>> left = new ArrayList<>();
    for (Pool<?> pool :
        List.of(
            places, rows, pins, pinBatches, multiGets, batches, backups, logs, tables, holds, pauses, transactions,
            caches, limits, segments)) {
      left.addAll(pool.takeAll());
    }
    slots.forEach(slot -> left.add(slot.database));
    banks.forEach(bank -> left.add(bank.database));
    left.forEach(this::closeFully);
    yard.closeAll();
    families.clear();
    for (Slot slot : slots) {
      slot.place = null;
      slot.database = null;
    }
  }

  /** Reopens every folder, and checks that it has all written rows and no others. */
  public void verifyFolders() {
    banks.forEach(Bank::verify);
    yard.verify();
    for (Store store : stores) {
      try (RocksDb db = RocksDb.at(store.folder).defaults(OPTIONS).open()) {
        Set<String> missing = new HashSet<>();
        for (FamilyModel family : store.families.values()) {
          if (family.state == FamilyModel.State.THERE) {
            missing.add(family.name);
          }
        }
        for (ColumnFamily family : db.families()) {
          missing.remove(family.name());
          verify(family, store);
        }
        if (!missing.isEmpty()) {
          throw new WrongAnswer("families are lost: " + missing);
        }
      }
      RocksDb.destroy(store.folder);
    }
  }

  private static void verify(ColumnFamily family, Store store) {
    FamilyModel model = store.families.get(family.name());
    if (model == null || model.state == FamilyModel.State.GONE) {
      throw new WrongAnswer("family " + family.name() + " should not be there");
    }
    NavigableMap<byte[], byte[]> expected = model.ofAll();
    try (Scan scan = family.scan(KeyRange.all())) {
      while (scan.next()) {
        byte[] value = expected.remove(scan.keyBytes());
        if (value == null || !java.util.Arrays.equals(value, scan.valueBytes())) {
          throw new WrongAnswer("after the last close, a row of " + family + " is wrong");
        }
      }
    }
    if (!expected.isEmpty()) {
      throw new WrongAnswer("after the last close, " + expected.size() + " rows of " + family + " are lost");
    }
  }

  /** Returns random engine options that do not change the model. */
  public Map<String, String> changeable(Random random) {
    Map<String, String> some = new TreeMap<>();
    some.put("write_buffer_size", String.valueOf(1 << (16 + random.nextInt(6))));
    some.put("level0_file_num_compaction_trigger", String.valueOf(2 + random.nextInt(6)));
    return some;
  }
}
