/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.ffm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.jmh.work.Checksum;
import org.rocksdbffm.jmh.work.GetLoop;
import org.rocksdbffm.jmh.work.KeyCycle;

/** A thread's gets with this library. */
final class FfmGetLoop extends GetLoop {
  private final KeySpace db;
  private final int valueSize;
  private final byte[] array;
  private final ByteBuffer buffer;
  private final MemorySegment segment;
  private final MemorySegment small = Arena.ofAuto().allocate(COPY_LIMIT, Long.BYTES);
  private final Consumer<PinnedValue> lookAtLarge = this::lookAtLarge;
  private long large;

  FfmGetLoop(KeySpace db, KeyCycle keys, int valueSize, int count) {
    super(keys, count);
    this.db = db;
    this.valueSize = valueSize;
    array = new byte[valueSize];
    buffer = ByteBuffer.allocateDirect(valueSize);
    segment = Arena.ofAuto().allocate(valueSize, Long.BYTES);
  }

  @Override
  public long array(Blackhole blackhole) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      byte[] value = db.get(keys.array());
      blackhole.consume(value);
      sum += Checksum.at(value);
    }
    return sum;
  }

  @Override
  public long intoArray() {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Checksum.at(db.getInto(keys.array(), array), array);
    }
    return sum;
  }

  @Override
  public long intoDirect() {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Checksum.at(db.getInto(MemorySegment.ofBuffer(keys.buffer()), MemorySegment.ofBuffer(buffer.clear())),
          buffer);
    }
    return sum;
  }

  @Override
  public long intoSegment() {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Checksum.at(db.getInto(keys.segment(), segment), segment);
    }
    return sum;
  }

  @Override
  public long pinned() {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      try (PinnedValue value = db.getPinned(keys.array())) {
        sum += Checksum.at(value.segment());
      }
    }
    return sum;
  }

  @Override
  public long pinnedView() {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      try (PinnedValue value = db.getPinned(keys.array());
          PinnedValue.View view = value.view()) {
        sum += Checksum.at(view.segment());
      }
    }
    return sum;
  }

  /** The function returns the first byte, whose box is cached; boxing a sum would allocate. */
  @Override
  public long callback() {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += valueSize + db.get(keys.array(), FfmGetLoop::firstByte);
    }
    return sum;
  }

  private static Byte firstByte(MemorySegment value) {
    return value.get(ValueLayout.JAVA_BYTE, 0);
  }

  @Override
  public long fillOrPin() {
    long sum = 0;
    large = 0;
    for (int i = 0; i < count; i++) {
      long size = db.getInto(keys.segment(), small, lookAtLarge);
      if (size <= COPY_LIMIT) {
        sum += Checksum.at(size, small);
      }
    }
    return sum + large;
  }

  private void lookAtLarge(PinnedValue value) {
    try (value) {
      large += Checksum.at(value.segment());
    }
  }

  @Override
  public long inArena() {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      try (Arena arena = Arena.ofConfined()) {
        sum += Checksum.at(db.get(keys.array(), arena));
      }
    }
    return sum;
  }
}
