/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.pin.SampledPin;
import org.rocksdbffm.internal.read.NativeColumns;
import org.rocksdbffm.internal.scan.BlockIterator.RowColumns;

/**
 * The columns of a key in the engine's memory, without a copy, sorted bytewise by their names. Its owner must close it:
 * all columns are held by one pin. A plain value is an entity with only the default column, which has the empty name.
 *
 * <p>An entity can be passed to another thread and have several holders ({@link #retain}, {@link #close}). Its columns
 * are read by one thread: segments are confined to the first thread that asks for one, until that thread closes the
 * entity.
 *
 * <p>The entities of a {@linkplain EntityReader#only projection} have exactly the columns that were asked for, in that
 * order; a column that the key lacks is null.
 *
 * <p>A pinned entity retains a cache block or a file of its database, so close it soon. If the database is closed
 * before, the entity stays readable; see {@link RocksDb#close}.
 */
public final class Entity extends Pinned {
  private final NativeColumns columns;
  private final byte[][] only; // the names of a projection; null for all
  private final Arena ofRow; // null if the columns are pinned
  private final SampledPin watched; // null for most

  private Entity(NativeColumns columns, byte[][] only, Arena ofRow) {
    this.columns = columns;
    this.only = only;
    this.ofRow = ofRow;
    boolean isWatched = ofRow == null && SampledPin.isDue(columns.family().database().pins());
    this.watched =
        isWatched ? new SampledPin(this, columns.family().database().pins(), name(), columns::release) : null;
  }

  /** <em>Owns</em> pinned columns; null for null. */
  static Entity of(NativeColumns columns, byte[][] only) {
    try {
      return columns == null ? null : new Entity(columns, only, null);
    } catch (Throwable e) {
      columns.release();
      throw e;
    }
  }

  static Entity ofRow(RowColumns row, byte[][] only) {
    return new Entity(row.columns(), only, row.arena());
  }

  @Override
  String name() {
    return "entity" + (ofRow == null ? " of " + columns.family().handle() : " of a cursor's row");
  }

  @Override
  void viewed() {
    if (watched != null) {
      watched.viewed();
    }
  }

  @Override
  void release() {
    if (watched == null) {
      columns.release();
    } else {
      watched.release();
    }
  }

  /** Returns the arena of the columns; throws if this thread must not read them. */
  private Arena arena() {
    Arena arena = ofRow == null ? ownArena() : ofRow;
    if (!arena.scope().isAlive()) {
      throw new IllegalStateException(name() + " is closed");
    }
    try {
      Memory.view(0, 0, arena);
      return arena;
    } catch (WrongThreadException e) {
      throw new WrongThreadException(name() + " is read by another thread: read it on one thread", e);
    }
  }

  /**
   * Returns the number of columns.
   *
   * @return the number; of a projection, the number of names
   */
  public int count() {
    return only == null ? columns.count() : only.length;
  }

  /**
   * Returns the size of all columns of the key, names included.
   *
   * @return the size in bytes
   */
  public long size() {
    return columns.size();
  }

  /**
   * Returns the name of a column.
   *
   * @param index the index of the column
   * @return the name, read-only, <em>borrowed until</em> the entity is closed
   */
  public MemorySegment name(int index) {
    Objects.checkIndex(index, count());
    Arena arena = arena();
    return only == null ? columns.name(index, arena) : MemorySegment.ofArray(only[index]).asReadOnly();
  }

  /**
   * Returns the value of a column.
   *
   * @param index the index of the column
   * @return the value, read-only, <em>borrowed until</em> the entity is closed; null if the key lacks this column of a
   *     projection
   */
  public MemorySegment value(int index) {
    Objects.checkIndex(index, count());
    Arena arena = arena();
    int column = only == null ? index : columns.find(only[index]);
    return column < 0 ? null : columns.value(column, arena);
  }

  /**
   * Returns the value of the column with a name. Works for any column, even if this is an entity of a projection
   * without the column.
   *
   * @param name the name, which is encoded in UTF-8; empty for the default column
   * @return the value, read-only, <em>borrowed until</em> the entity is closed; null if the key lacks this column
   */
  public MemorySegment value(String name) {
    return value(Columns.utf8(name));
  }

  /**
   * Returns the value of the column with a name.
   *
   * @param name the name; borrowed
   * @return the value, read-only, <em>borrowed until</em> the entity is closed; null if the key lacks this column
   */
  public MemorySegment value(byte[] name) {
    Arena arena = arena();
    int column = columns.find(requireNonNull(name, "name"));
    return column < 0 ? null : columns.value(column, arena);
  }

  /**
   * Copies the value of the column with a name.
   *
   * @param name the name, which is encoded in UTF-8; empty for the default column
   * @return a new array; null if the key lacks this column
   */
  public byte[] get(String name) {
    arena();
    int column = columns.find(Columns.utf8(name));
    return column < 0 ? null : columns.valueBytes(column);
  }

  /**
   * Adds a holder, which must be removed by another {@link #close}. An entity of a cursor's row ends with the row
   * nevertheless.
   *
   * @return this entity
   * @throws IllegalStateException if the entity is released
   */
  public Entity retain() {
    addHolder();
    return this;
  }

  @Override
  public String toString() {
    return name() + ": " + count() + " columns, " + size() + " bytes";
  }
}
