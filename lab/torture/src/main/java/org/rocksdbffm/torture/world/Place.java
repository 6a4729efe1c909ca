/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.RocksDb;

/** A reader of keys, perhaps also a writer: a database, a family, a snapshot, or a reader of one of these. */
public final class Place extends Held<KeyReader> {
  public final Held<RocksDb> database;
  public final Store store;
  public final FamilyModel family;

  /** The rows that a snapshot sees; null for the latest state. */
  public final Moment point;

  /** Whether reads must equal the model; with some read options, results may differ. */
  public final boolean exact;

  /** The database, family or snapshot, which several places share; null if it has no close method. */
  public final Held<?> closeable;

  /** The rows of one client in every family at a point in time. */
  public record Moment(int client, Map<FamilyModel, NavigableMap<byte[], byte[]>> rows) {
    public static Moment of(int client, Store store) {
      Map<FamilyModel, NavigableMap<byte[], byte[]>> rows = new HashMap<>();
      for (FamilyModel family : store.families.values()) {
        NavigableMap<byte[], byte[]> copy = FamilyModel.empty();
        copy.putAll(family.of(client));
        rows.put(family, copy);
      }
      return new Moment(client, rows);
    }
  }

  /** Creates a place. If the reader has a close method, the first parent is the state of the reader itself. */
  public Place(
      KeyReader reader,
      Held<RocksDb> database,
      Store store,
      FamilyModel family,
      Moment point,
      boolean exact,
      Held<?>... parents) {
    super(reader, parents);
    this.closeable = reader instanceof AutoCloseable ? parents[0] : null;
    this.database = database;
    this.store = store;
    this.family = family;
    this.point = point;
    this.exact = exact;
  }

  /** Returns a place with the same expected rows and another reader. */
  public Place through(KeyReader reader, boolean stillExact) {
    return new Place(reader, database, store, family, point, exact && stillExact, this);
  }

  public static Place of(Held<ColumnFamily> family, FamilyModel model, Held<RocksDb> database, Store store) {
    return new Place(family.object, database, store, model, null, true, family, database);
  }

  @Override
  public void close(Tally tally) {
    if (closeable != null && !isDefaultFamily()) {
      closeable.close(tally);
    }
  }

  /** Whether this is the default family, whose close does nothing. */
  public boolean isDefaultFamily() {
    return object instanceof ColumnFamily && family.name.equals(RocksDb.DEFAULT_COLUMN_FAMILY);
  }

  boolean isWritable() {
    return object instanceof KeySpace;
  }

  public KeySpace keySpace() {
    return (KeySpace) object;
  }

  /** Returns the client whose rows are expected: the snapshot's client, if this is a snapshot, or the given client. */
  public int clientSeenBy(int client) {
    return point == null ? client : point.client;
  }

  public NavigableMap<byte[], byte[]> rowsSeenBy(int client) {
    return point == null ? family.of(client) : point.rows.getOrDefault(family, FamilyModel.empty());
  }
}
