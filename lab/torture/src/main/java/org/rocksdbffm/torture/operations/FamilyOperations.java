/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.FlushOptions;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.FamilyModel;
import org.rocksdbffm.torture.world.Held;
import org.rocksdbffm.torture.world.Operation;
import org.rocksdbffm.torture.world.Place;
import org.rocksdbffm.torture.world.Slot;
import org.rocksdbffm.torture.world.World;
import org.rocksdbffm.torture.world.WrongAnswer;

/** Creates, drops, closes, flushes and compacts column families; takes snapshots. */
public final class FamilyOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("createFamily", 10, FamilyOperations::create),
          new Operation("findFamily", 40, FamilyOperations::find),
          new Operation("dropFamily", 4, FamilyOperations::drop),
          new Operation("closePlace", 30, FamilyOperations::close),
          new Operation("askFamily", 30, FamilyOperations::ask),
          new Operation("flush", 6, FamilyOperations::flush),
          new Operation("flushAll", 3, FamilyOperations::flushAll),
          new Operation("compact", 2, FamilyOperations::compact),
          new Operation("setOptions", 2, FamilyOperations::setOptions),
          new Operation("snapshot", 60, FamilyOperations::snapshot),
          new Operation("useSnapshot", 60, FamilyOperations::useSnapshot));

  /** Options with which the creation of a family is rejected; a rejection must not delay copies of the database. */
  private static final FamilyOptions REFUSED =
      World.OPTIONS.keyOrder("by size", (a, b) -> Long.compare(a.size(), b.size()));

  private FamilyOperations() {}

  private static Place placeOf(ColumnFamily family, FamilyModel model, Place in, Attempt attempt) {
    return Place.of(attempt.world.family(family, in.database), model, in.database, in.store);
  }

  private static void create(Attempt attempt) {
    Slot slot = attempt.world.anySlot(attempt.random);
    Place place = slot.place;
    if (place.store.families.size() > 12) {
      return;
    }
    String name = "family" + attempt.world.names.incrementAndGet();
    FamilyModel model = place.store.family(name);
    RocksDb db = attempt.use(place.database);
    ColumnFamily family =
        switch (attempt.random.nextInt(3)) {
          case 0 -> db.createFamilies(Map.of(name, World.OPTIONS)).getFirst();
          case 1 -> db.familyOrCreate(name, World.OPTIONS);
          default -> db.createFamily(name, World.OPTIONS);
        };
    model.state = FamilyModel.State.THERE;
    attempt.world.add(attempt.world.places, placeOf(family, model, place, attempt), attempt);
  }

  /** Finds a family; sometimes creates one with an existing or invalid name, which must be rejected. */
  private static void find(Attempt attempt) {
    Slot slot = attempt.world.anySlot(attempt.random);
    Place place = slot.place;
    FamilyModel model = attempt.oneOf(List.copyOf(place.store.families.values()));
    RocksDb db = attempt.touch(place.database);
    if (attempt.oneIn(10)) {
      attempt.use(place.database);
      attempt.allow(Code.INVALID_ARGUMENT);
      db.createFamily(RocksDb.DEFAULT_COLUMN_FAMILY, World.OPTIONS);
      throw new WrongAnswer("a second default family was created");
    }
    if (attempt.oneIn(10)) {
      attempt.use(place.database);
      attempt.allow(IllegalArgumentException.class, "(?s).*( NUL character|half of a surrogate pair).*");
      db.createFamily(attempt.oneOf(List.of("a\0b", "a\ud800b")), REFUSED);
      throw new WrongAnswer("a family was created whose name is no text of C's");
    }
    if (model.state != FamilyModel.State.THERE || place.database.mayBeClosed()) {
      attempt.allow(IllegalArgumentException.class, "(?s)name: .* has no column family .*");
    }
    ColumnFamily family;
    try {
      family = db.family(model.name);
    } catch (IllegalArgumentException e) {
      if (model.state != FamilyModel.State.THERE) {
        attempt.allow(IllegalArgumentException.class, "(?s)name: .* has no column family .*");
      }
      throw e;
    }
    attempt.check(family.name().equals(model.name), "its name");
    attempt.world.add(attempt.world.places, placeOf(family, model, place, attempt), attempt);
  }

  private static void drop(Attempt attempt) {
    Place place = attempt.world.places.any(attempt.random);
    if (place == null || !(place.object instanceof ColumnFamily family)) {
      return;
    }
    FamilyModel model = place.family;
    boolean isDefault = model.name.equals(RocksDb.DEFAULT_COLUMN_FAMILY);
    if (isDefault || model.state != FamilyModel.State.THERE) {
      attempt.allow(Code.INVALID_ARGUMENT); // dropped by another client, or the default family
    }
    attempt.allow(IllegalArgumentException.class, "(?s)family: .* is not of .*");
    Held<RocksDb> database = attempt.oneIn(20) ? attempt.world.anySlot(attempt.random).database : place.database;
    attempt.use(database);
    attempt.touch(place);
    if (!isDefault && database == place.database) {
      model.state = FamilyModel.State.UNKNOWN;
      attempt.allow(Code.INVALID_ARGUMENT); // another client may drop the same family
      attempt.touch(new Dropped(place));
    }
    database.object.dropFamily(family);
    if (!isDefault) {
      model.state = FamilyModel.State.GONE;
    }
  }

  /** A family that may have been dropped, so that its use may throw that it is closed. */
  static final class Dropped extends Held<Object> {
    private final Place place;

    Dropped(Place place) {
      super(place);
      this.place = place;
    }

    @Override
    public boolean mayBeClosed() {
      return place.family.state != FamilyModel.State.THERE || place.mayBeClosed();
    }

    @Override
    public boolean isClosed() {
      return false;
    }
  }

  /** Closes a family or a snapshot, mostly while others use it. */
  private static void close(Attempt attempt) {
    Place place = attempt.world.places.any(attempt.random);
    if (place != null) {
      place.close(attempt.world.tally);
    }
  }

  private static void ask(Attempt attempt) {
    Place place = attempt.world.anyWritable(attempt.random);
    KeySpace space = place.keySpace();
    attempt.use(place);
    if (space instanceof ColumnFamily family) {
      attempt.check(family.name().equals(place.family.name), "its name");
      attempt.check(family.toString().contains(family.name()), "its text");
    }
    attempt.check(isRefused(() -> space.metrics().property("rocksdb.no-such-property")), "a property that is none");
    attempt.check(space.metrics().property("rocksdb.stats") != null, "statistics");
    OptionalLong number = space.metrics().longProperty("rocksdb.estimate-num-keys");
    attempt.check(number.isPresent(), "estimated number of keys");
  }

  private static void flush(Attempt attempt) {
    Place place = attempt.world.anyWritable(attempt.random);
    attempt.use(place);
    attempt.touch(new Dropped(place));
    allowForDropped(place, attempt);
    attempt.allow(Code.TRY_AGAIN); // writes are stopped
    if (attempt.oneIn(2)) {
      place.keySpace().flush();
    } else {
      place.keySpace().flush(new FlushOptions(attempt.oneIn(2), attempt.oneIn(2)));
    }
  }

  private static void flushAll(Attempt attempt) {
    RocksDb db = attempt.use(attempt.world.anySlot(attempt.random).database);
    attempt.allow(Code.COLUMN_FAMILY_DROPPED); // another client drops a family
    attempt.allow(Code.SHUTDOWN_IN_PROGRESS);
    attempt.allow(Code.INVALID_ARGUMENT);
    attempt.allow(Code.TRY_AGAIN);
    if (attempt.oneIn(2)) {
      db.flushAll();
    } else {
      db.flushAll(new FlushOptions(attempt.oneIn(2), attempt.oneIn(2)));
    }
  }

  /** Allows the exceptions of operations that the engine does not support for dropped families. */
  private static void allowForDropped(Place place, Attempt attempt) {
    if (!place.family.name.equals(RocksDb.DEFAULT_COLUMN_FAMILY)) {
      attempt.allow(Code.COLUMN_FAMILY_DROPPED);
      attempt.allow(Code.SHUTDOWN_IN_PROGRESS);
      attempt.allow(Code.INVALID_ARGUMENT);
    }
  }

  private static void compact(Attempt attempt) {
    Place place = attempt.world.anyWritable(attempt.random);
    attempt.use(place);
    allowForDropped(place, attempt);
    if (attempt.oneIn(2)) {
      place.keySpace().compact(ClientBytes.range(attempt.client.number));
    } else {
      CompactOptions options =
          CompactOptions.defaults()
              .exclusive(attempt.oneIn(2))
              .bottommost(attempt.oneOf(List.of(CompactOptions.Bottommost.values())))
              .maxSubcompactions(attempt.random.nextInt(3));
      place.keySpace().compact(ClientBytes.range(attempt.client.number), options);
    }
  }

  private static boolean isRefused(Runnable work) {
    try {
      work.run();
      return false;
    } catch (IllegalArgumentException expected) {
      return true;
    }
  }

  private static void setOptions(Attempt attempt) {
    Place place = attempt.world.anyWritable(attempt.random);
    attempt.use(place);
    allowForDropped(place, attempt);
    place.keySpace().setOptions(attempt.world.changeable(attempt.random));
  }

  private static void snapshot(Attempt attempt) {
    Place place = attempt.world.anyWritable(attempt.random);
    attempt.use(place.database);
    attempt.touch(place);
    Snapshot snapshot = place.keySpace().snapshot();
    Place.Moment point = Place.Moment.of(attempt.client.number, place.store);
    attempt.world.add(
        attempt.world.places,
        new Place(
            snapshot,
            place.database,
            place.store,
            place.family,
            point,
            place.exact,
            new Held<>(snapshot, place.database),
            place),
        attempt);
  }

  private static void useSnapshot(Attempt attempt) {
    Place place = attempt.world.places.any(attempt.random);
    if (place == null || !(place.object instanceof Snapshot snapshot)) {
      return;
    }
    Place other = attempt.world.anyPlace(attempt.random);
    attempt.allow(IllegalArgumentException.class, "(?s)columnFamily: .* is not of .*");
    attempt.touch(place);
    if (other.object instanceof ColumnFamily family) {
      KeyReader reader = snapshot.of(family);
      attempt.check(other.database == place.database, "a snapshot of another database was read through");
      attempt.world.add(
          attempt.world.places,
          new Place(reader, place.database, place.store, other.family, place.point, place.exact, place.closeable,
              other),
          attempt);
    }
    attempt.use(place.database);
    attempt.check(snapshot.sequenceNumber() >= 0, "a negative sequence number");
  }
}
