/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

import java.util.Arrays;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The expected rows of a column family. Each client has separate keys, and accesses only the rows of its keys. */
public final class FamilyModel {
  /** Whether the family exists; unknown during a creation or a drop, and after a failed creation or drop. */
  public enum State {
    THERE,
    UNKNOWN,
    GONE
  }

  public final String name;
  public volatile State state = State.UNKNOWN;
  private final NavigableMap<byte[], byte[]>[] rows;

  FamilyModel(String name, int clients) {
    this.name = name;
    @SuppressWarnings({"unchecked", "rawtypes"})
    NavigableMap<byte[], byte[]>[] maps = new NavigableMap[clients];
    Arrays.setAll(maps, client -> empty());
    rows = maps;
  }

  public static NavigableMap<byte[], byte[]> empty() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  public NavigableMap<byte[], byte[]> of(int client) {
    return rows[client];
  }

  NavigableMap<byte[], byte[]> ofAll() {
    NavigableMap<byte[], byte[]> all = empty();
    for (NavigableMap<byte[], byte[]> each : rows) {
      all.putAll(each);
    }
    return all;
  }
}
