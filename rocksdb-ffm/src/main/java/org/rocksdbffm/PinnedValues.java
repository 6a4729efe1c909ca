/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.internal.pin.SampledPin;
import org.rocksdbffm.internal.read.PinBatch;

/**
 * The values of a multi-get, pinned together without a copy until the last holder releases them. Their owner must close
 * them. Like a {@link PinnedValue}, they can be passed between threads, have several holders, and are read through
 * views.
 */
public final class PinnedValues extends Pinned {
  private final PinBatch pins;
  private final SampledPin watched; // null for most

  private PinnedValues(PinBatch pins) {
    this.pins = pins;
    this.watched =
        SampledPin.isDue(pins.ledger()) ? new SampledPin(this, pins.ledger(), pins.name(), pins::release) : null;
  }

  /** <em>Owns</em> the pins. */
  static PinnedValues of(PinBatch pins) {
    try {
      return new PinnedValues(pins);
    } catch (Throwable e) {
      pins.release();
      throw e;
    }
  }

  @Override
  String name() {
    return pins.name();
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
      pins.release();
    } else {
      watched.release();
    }
  }

  /**
   * Returns the number of keys in the request.
   *
   * @return the count
   */
  public int count() {
    return pins.count();
  }

  /**
   * Returns whether a key exists.
   *
   * @param index the index of the key in the request
   * @return true if it has a value
   */
  public boolean isPresent(int index) {
    return pins.isPresent(index);
  }

  /**
   * Returns the size of a value in bytes.
   *
   * @param index the index of the key in the request
   * @return the size, or {@link KeyReader#ABSENT}
   */
  public long size(int index) {
    return pins.size(index);
  }

  /**
   * Copies a value.
   *
   * @param index the index of the key in the request
   * @return a new array, or null if the key is missing
   */
  public byte[] get(int index) {
    openView();
    try {
      return pins.bytes(index);
    } finally {
      closeView();
    }
  }

  /**
   * Copies all values.
   *
   * @return new arrays, with null for missing keys
   */
  public List<byte[]> toList() {
    openView();
    try {
      List<byte[]> values = new ArrayList<>(pins.count());
      for (int i = 0; i < pins.count(); i++) {
        values.add(pins.bytes(i));
      }
      return values;
    } finally {
      closeView();
    }
  }

  /**
   * Returns a value's bytes, read-only, for a thread that reads and closes the values itself: <em>borrowed until</em>
   * that thread closes them, and confined to the first thread that calls this.
   *
   * @param index the index of the key in the request
   * @return the bytes, or null if the key is missing
   */
  public MemorySegment segment(int index) {
    return pins.view(index, ownArena());
  }

  /**
   * Returns one value as a separate value, which keeps all of them pinned until its last holder releases it.
   *
   * @param index the index of the key in the request
   * @return the value, which the caller <em>owns</em> and must close; or null if the key is missing
   */
  public PinnedValue value(int index) {
    return pins.isPresent(index)
        ? PinnedValue.partOf(this, pins.address(index), pins.size(index))
        : null;
  }

  /**
   * Writes all values, one after another, to a blocking channel, with as few writes as the channel allows and without a
   * copy.
   *
   * @param channel must not be in non-blocking mode
   * @return the number of bytes written: the total size of the values that exist
   * @throws IOException if the channel fails, or accepts no bytes
   */
  public long writeTo(GatheringByteChannel channel) throws IOException {
    requireNonNull(channel, "channel");
    try (View view = view()) {
      return new BufferRun(view.buffers()).writeAll(channel);
    }
  }

  /**
   * Writes as much of the values as the channel accepts in one write, from a position on, without a copy: for
   * non-blocking channels. The caller adds up the bytes that were written.
   *
   * @param channel blocking or non-blocking
   * @param position the number of bytes of all values that were written before
   * @return the number of bytes written by this call; 0 if the channel is full, or nothing is left
   * @throws IOException if the channel fails
   */
  public long writeTo(GatheringByteChannel channel, long position) throws IOException {
    requireNonNull(channel, "channel");
    try (View view = view()) {
      return new BufferRun(view.buffers()).from(position).writeSome(channel);
    }
  }

  /**
   * Opens a view of the values for the current thread.
   *
   * @return the view, which the caller <em>owns</em> and must close
   */
  public View view() {
    openView();
    try {
      return new View(this);
    } catch (Throwable e) {
      closeView();
      throw e;
    }
  }

  /**
   * Adds a holder, which must be removed by another {@link #close}.
   *
   * @return these values
   */
  public PinnedValues retain() {
    addHolder();
    return this;
  }

  /** A view of the values' bytes for one thread. */
  public static final class View implements AutoCloseable {
    private final PinnedValues values;
    private final Arena arena = Arena.ofConfined();

    private View(PinnedValues values) {
      this.values = values;
    }

    /**
     * Returns a value's bytes.
     *
     * @param index the index of the key in the request
     * @return read-only memory, <em>borrowed until</em> this view is closed, and confined to this thread; or null if
     *     the key is missing
     */
    public MemorySegment segment(int index) {
      requireOpen(arena, values);
      return values.pins.view(index, arena);
    }

    /**
     * Returns the bytes of all values that exist, in the order of the keys: one buffer for each value, or several for a
     * value of more than 1 GiB.
     *
     * @return read-only buffers, <em>borrowed until</em> this view is closed, and confined to this thread
     */
    public List<ByteBuffer> buffers() {
      requireOpen(arena, values);
      List<ByteBuffer> buffers = new ArrayList<>(values.count());
      for (int i = 0; i < values.count(); i++) {
        if (values.isPresent(i)) {
          BufferRun.add(buffers, segment(i), BufferRun.LARGEST_BUFFER);
        }
      }
      return buffers;
    }

    /** Closes the view; idempotent. */
    @Override
    public void close() {
      if (arena.scope().isAlive()) {
        arena.close();
        values.closeView();
      }
    }

    @Override
    public String toString() {
      return "view of " + values;
    }
  }

  @Override
  public String toString() {
    return name();
  }
}
