/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.read;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.foreign.Memory;

/** The keys of a multi-get in the order in which they were added, each with its column family. */
public final class KeyList {
  private static final int FIRST_BYTES = 256;
  private static final int FIRST_KEYS = 16;
  private static final int MAX_SIZE = Integer.MAX_VALUE - 8;

  private byte[] bytes;
  private int[] ends;
  private ReadPath[] paths;
  private int count;

  public KeyList() {
    this(FIRST_KEYS, FIRST_BYTES);
  }

  private KeyList(int keys, int size) {
    bytes = new byte[size];
    ends = new int[keys];
    paths = new ReadPath[keys];
  }

  /** Returns a list of keys of one path, without spare capacity. */
  public static KeyList of(ReadPath path, byte[][] keys) {
    long size = 0;
    for (byte[] key : keys) {
      size += key.length;
    }
    KeyList list = new KeyList(keys.length, (int) Math.min(MAX_SIZE, size));
    for (byte[] key : keys) {
      list.add(path, key);
    }
    return list;
  }

  public int count() {
    return count;
  }

  public void clear() {
    count = 0;
  }

  public void add(ReadPath path, byte[] key) {
    int start = reserve(key.length);
    System.arraycopy(key, 0, bytes, start, key.length);
    added(path, start + key.length);
  }

  public void add(ReadPath path, MemorySegment key) {
    Call.requireKeySize("key", key.byteSize());
    int start = reserve(key.byteSize());
    try {
      MemorySegment.copy(key, ValueLayout.JAVA_BYTE, 0, bytes, start, (int) key.byteSize());
    } catch (IllegalStateException | WrongThreadException e) {
      throw Memory.inaccessible("key", e);
    }
    added(path, start + (int) key.byteSize());
  }

  private int reserve(long keySize) {
    int start = size();
    long needed = start + keySize;
    if (needed > MAX_SIZE) {
      throw new IllegalStateException("the keys of a multi-get would exceed 2 GiB: ask for fewer at once");
    }
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_SIZE, Math.max(needed, bytes.length * 2L)));
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, Math.max(FIRST_KEYS, count * 2));
      paths = Arrays.copyOf(paths, ends.length);
    }
    return start;
  }

  private void added(ReadPath path, int end) {
    ends[count] = end;
    paths[count] = path;
    count++;
  }

  ReadPath source(int index) {
    return paths[index];
  }

  int start(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  int length(int index) {
    return ends[index] - start(index);
  }

  /** Returns the total size of all keys in bytes. */
  int size() {
    return count == 0 ? 0 : ends[count - 1];
  }

  void copyTo(MemorySegment target) {
    MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, 0, size());
  }

  /** Returns the indexes of the keys, grouped by column family, and within a family in the order of adding. */
  int[] grouped() {
    int[] order = new int[count];
    int filled = 0;
    for (NativeFamily family : families()) {
      for (int i = 0; i < count; i++) {
        if (paths[i].family() == family) {
          order[filled++] = i;
        }
      }
    }
    return order;
  }

  /** Returns the column families, in the order of their first keys. */
  private Set<NativeFamily> families() {
    Set<NativeFamily> families = new LinkedHashSet<>();
    NativeFamily last = null;
    for (int i = 0; i < count; i++) {
      if (paths[i].family() != last) {
        last = paths[i].family();
        families.add(last);
      }
    }
    return families;
  }

  /** Sorts the keys of each column family in its key order; returns whether that succeeded for all families. */
  boolean sort(int[] grouped) {
    KeySort sort = new KeySort(bytes, ends, grouped);
    for (int from = 0, until; from < count; from = until) {
      NativeFamily family = paths[grouped[from]].family();
      until = from + 1;
      while (until < count && paths[grouped[until]].family() == family) {
        until++;
      }
      if (!family.rules().isOrderedByBytes() || !sort.sort(from, until)) {
        return false;
      }
    }
    return true;
  }
}
