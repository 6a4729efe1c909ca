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
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.pin.SampledPin;
import org.rocksdbffm.internal.read.PinBatch;

/**
 * The values of a multi-get, pinned together where the engine has them until the last holder lets go. Their
 * owner must close them. They travel, are held and are seen like a {@link PinnedValue}.
 */
public final class PinnedValues extends Pinned {
  private final PinBatch pins;
  private final SampledPin watched; // null for most
  private final LeakWatch watch;

  private PinnedValues(PinBatch pins) {
    this.pins = pins;
    this.watched = SampledPin.isDue(pins.ledger()) ? new SampledPin(pins.ledger(), pins.name(), pins::release) : null;
    this.watch = watched == null ? null : LeakWatch.over(this, watched);
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
      watch.end();
    }
  }

  /**
   * How many keys were asked for.
   *
   * @return the count
   */
  public int count() {
    return pins.count();
  }

  /**
   * Whether a key exists.
   *
   * @param index the key's place in the request
   * @return true if it has a value
   */
  public boolean isPresent(int index) {
    return pins.isPresent(index);
  }

  /**
   * How many bytes a value has.
   *
   * @param index the key's place in the request
   * @return the size, or {@link KeyReader#ABSENT}
   */
  public long size(int index) {
    return pins.size(index);
  }

  /**
   * Copies a value.
   *
   * @param index the key's place in the request
   * @return a new array, or null if there is no such key
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
   * @return new arrays, null where there is no such key
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
   * A value's bytes, read-only, for a thread that reads and closes the values itself: <em>borrowed
   * until</em> that thread closes them, and confined to the thread that asks first.
   *
   * @param index the key's place in the request
   * @return the bytes, or null if there is no such key
   */
  public MemorySegment segment(int index) {
    return pins.view(index, ownArena());
  }

  /**
   * One of the values by itself, which keeps them all pinned until its last holder lets go.
   *
   * @param index the key's place in the request
   * @return the value, which the caller <em>owns</em> and must close; or null if there is no such key
   */
  public PinnedValue value(int index) {
    return pins.isPresent(index)
        ? PinnedValue.partOf(this, pins.address(index), pins.size(index))
        : null;
  }

  /**
   * Writes all values, one behind the other, to a channel that blocks, with as few writes as the channel allows and
   * without a copy.
   *
   * @param channel not in non-blocking mode
   * @return how many bytes were written: the sizes of all values that are there
   * @throws IOException if the channel fails, or takes nothing
   */
  public long writeTo(GatheringByteChannel channel) throws IOException {
    requireNonNull(channel, "channel");
    try (View view = view()) {
      return new BufferRun(view.buffers()).writeAll(channel);
    }
  }

  /**
   * Writes what the channel takes at once of all values from a position on, without a copy: for channels in
   * non-blocking mode. The caller keeps count of what was written.
   *
   * @param channel blocking or not
   * @param position how many bytes of all values together were written before
   * @return how many bytes were written now; 0 if the channel is full, or nothing is left
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
   * Adds a holder, who must let go by a {@link #close} of its own.
   *
   * @return these values
   */
  public PinnedValues retain() {
    addHolder();
    return this;
  }

  /** The bytes of the values as one thread sees them; for that thread alone. */
  public static final class View implements AutoCloseable {
    private final PinnedValues values;
    private final Arena arena = Arena.ofConfined();

    private View(PinnedValues values) {
      this.values = values;
    }

    /**
     * A value's bytes.
     *
     * @param index the key's place in the request
     * @return read-only memory, <em>borrowed until</em> this view is closed, and confined to this thread; or
     *     null if there is no such key
     */
    public MemorySegment segment(int index) {
      requireOpen(arena, values);
      return values.pins.view(index, arena);
    }

    /**
     * The bytes of all values that are there, in the order of the keys: one buffer for each of them, or several for
     * one of more than 1 GiB.
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

    /** Ends the view; idempotent. */
    @Override
    public void close() {
      if (arena.scope().isAlive()) {
        arena.close();
        values.closeView();
      }
    }
  }
}
