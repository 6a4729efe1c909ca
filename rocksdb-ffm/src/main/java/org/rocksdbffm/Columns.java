/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.rocksdbffm.internal.write.EntityColumns;

/**
 * The columns of an entity that is to be written with {@link KeyWriter#putEntity}. A column has a name, which is unique
 * in the entity, and a value; both may be empty. The column with the empty name is the default column: it is what a
 * {@link KeyReader#get(byte[]) get} of the key answers. The order in which columns are added does not matter, and an
 * entity may have no columns. Used by one thread at a time.
 *
 * <pre>{@code
 * db.putEntity(key, new Columns().add("city", city).add("name", name));
 * }</pre>
 */
public final class Columns {
  final EntityColumns sorted = new EntityColumns();

  /** Creates an entity without columns. */
  public Columns() {}

  /**
   * Adds a column.
   *
   * @param name the name, which is encoded in UTF-8
   * @param value borrowed until the entity is written
   * @return this
   * @throws IllegalArgumentException if there is a column with this name, or the name has half of a surrogate pair
   */
  public Columns add(String name, byte[] value) {
    return add(utf8(name), MemorySegment.ofArray(requireNonNull(value, "value")));
  }

  /**
   * Adds a column.
   *
   * @param name the name; borrowed until the entity is written
   * @param value borrowed until the entity is written; a segment of any kind
   * @return this
   * @throws IllegalArgumentException if there is a column with this name
   */
  public Columns add(byte[] name, MemorySegment value) {
    requireNonNull(name, "name");
    if (!sorted.add(name, requireNonNull(value, "value"))) {
      throw new IllegalArgumentException(
          "name: '" + new String(name, StandardCharsets.UTF_8) + "' is a column already; add each name once");
    }
    return this;
  }

  static byte[] utf8(String name) {
    return Views.utf8("name", name);
  }

  @Override
  public String toString() {
    return "entity of " + sorted.count() + " columns";
  }
}
