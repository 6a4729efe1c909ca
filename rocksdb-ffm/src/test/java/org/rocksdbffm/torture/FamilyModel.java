/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture;

import java.util.Arrays;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What a column family must contain. Each client has keys of its own, and only that client touches their rows here. */
final class FamilyModel {
  /** Whether the family is on disk; where a creation or a drop failed or is on its way, nobody knows. */
  enum State {
    THERE,
    UNKNOWN,
    GONE
  }

  final String name;
  volatile State state = State.UNKNOWN;
  private final NavigableMap<byte[], byte[]>[] rows;

  FamilyModel(String name, int clients) {
    this.name = name;
    @SuppressWarnings({"unchecked", "rawtypes"})
    NavigableMap<byte[], byte[]>[] maps = new NavigableMap[clients];
    Arrays.setAll(maps, client -> empty());
    rows = maps;
  }

  static NavigableMap<byte[], byte[]> empty() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  NavigableMap<byte[], byte[]> of(int client) {
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
