/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.tools;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Function;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.PinnedValues;

/** The methods that read one value; each returns a copy, or null. */
public enum ReadKind {
  ARRAY,
  INTO,
  PINNED,
  PINNED_VIEW,
  CONFINED_ARENA,
  SHARED_ARENA,
  AUTO_ARENA,
  GLOBAL_ARENA,
  LOOK,
  MULTI_GET;

  private static final int ROOM = 2 << 20;

  public byte[] read(KeyReader reader, Object key) {
    return switch (this) {
      case ARRAY -> get(reader, key);
      case INTO -> into(reader, key);
      case PINNED -> pinned(reader, key, false);
      case PINNED_VIEW -> pinned(reader, key, true);
      case CONFINED_ARENA -> {
        try (Arena arena = Arena.ofConfined()) {
          yield copy(get(reader, key, arena));
        }
      }
      case SHARED_ARENA -> {
        try (Arena arena = Arena.ofShared()) {
          yield copy(get(reader, key, arena));
        }
      }
      case AUTO_ARENA -> copy(get(reader, key, Arena.ofAuto()));
      case GLOBAL_ARENA -> copy(get(reader, key, Arena.global()));
      case LOOK -> look(reader, key);
      case MULTI_GET -> multiGet(reader, key);
    };
  }

  /** Whether values stay pinned after the read: until a garbage collection, or forever. */
  public boolean pinsBehind() {
    return this == AUTO_ARENA || this == GLOBAL_ARENA;
  }

  private static byte[] copy(MemorySegment segment) {
    return segment == null ? null : segment.toArray(ValueLayout.JAVA_BYTE);
  }

  private static byte[] get(KeyReader reader, Object key) {
    return switch (key) {
      case byte[] array -> reader.get(array);
      case MemorySegment segment -> reader.get(segment);
      default -> throw new AssertionError(key);
    };
  }

  private static MemorySegment get(KeyReader reader, Object key, Arena arena) {
    return switch (key) {
      case byte[] array -> reader.get(array, arena);
      case MemorySegment segment -> reader.get(segment, arena);
      default -> throw new AssertionError(key);
    };
  }

  private static byte[] look(KeyReader reader, Object key) {
    Function<MemorySegment, byte[]> copy = ReadKind::copy;
    return switch (key) {
      case byte[] array -> reader.get(array, copy);
      case MemorySegment segment -> reader.get(segment, copy);
      default -> throw new AssertionError(key);
    };
  }

  private static byte[] into(KeyReader reader, Object key) {
    byte[] target = new byte[ROOM];
    long size =
        switch (key) {
          case byte[] array -> reader.getInto(array, target);
          case MemorySegment segment -> reader.getInto(segment, MemorySegment.ofArray(target));
          default -> throw new AssertionError(key);
        };
    return size == KeyReader.ABSENT ? null : java.util.Arrays.copyOf(target, Math.toIntExact(size));
  }

  private static byte[] pinned(KeyReader reader, Object key, boolean viewed) {
    PinnedValue pinned =
        switch (key) {
          case byte[] array -> reader.getPinned(array);
          case MemorySegment segment -> reader.getPinned(segment);
          default -> throw new AssertionError(key);
        };
    if (pinned == null) {
      return null;
    }
    try (pinned) {
      if (!viewed) {
        return copy(pinned.segment());
      }
      try (PinnedValue.View view = pinned.view()) {
        return copy(view.segment());
      }
    }
  }

  private static byte[] multiGet(KeyReader reader, Object key) {
    MultiGet request = reader.multiGet();
    switch (key) {
      case byte[] array -> request.add(array);
      case MemorySegment segment -> request.add(segment);
      default -> throw new AssertionError(key);
    }
    try (PinnedValues values = request.get()) {
      return values.get(0);
    }
  }
}
