/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A thread's lists of keys, all of one length, created in advance; used cyclically. */
public final class KeyLists {
  private final List<List<byte[]>> lists = new ArrayList<>();
  private int position;

  public KeyLists(byte[][] keys, int count) {
    for (int end = count; end <= keys.length; end += count) {
      lists.add(List.of(Arrays.copyOfRange(keys, end - count, end)));
    }
  }

  /** Returns the keys of full lists; sorts the keys of each list if requested. */
  public static byte[][] arranged(byte[][] keys, int count, int mostLists, boolean sorted) {
    if (keys.length < count) {
      throw new IllegalArgumentException(
          "The data has " + keys.length + " rows, but a multi-get needs " + count + ": raise dataMiB");
    }
    byte[][] whole = Arrays.copyOf(keys, Math.min(keys.length / count, mostLists) * count);
    for (int first = 0; sorted && first < whole.length; first += count) {
      Arrays.sort(whole, first, first + count, Arrays::compareUnsigned);
    }
    return whole;
  }

  public int nextIndex() {
    position = position + 1 == lists.size() ? 0 : position + 1;
    return position;
  }

  public List<byte[]> next() {
    return lists.get(nextIndex());
  }

  public List<List<ByteBuffer>> directBuffers() {
    return lists.stream().map(keys -> keys.stream().map(KeyLists::direct).toList()).toList();
  }


  public static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }
}
