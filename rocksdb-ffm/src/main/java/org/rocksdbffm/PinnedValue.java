/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.Call;
import org.rocksdbffm.internal.Database;
import org.rocksdbffm.internal.Memory;
import org.rocksdbffm.internal.Source;

/**
 * A value that stays where the engine has it, without a copy, until its last holder lets go. Its owner
 * must close it.
 *
 * <p>The value itself is thread-safe and may travel: it can be kept after the call, handed to another
 * thread, and held by several holders ({@link #retain}, {@link #close}). Its bytes are seen through views,
 * each confined to the thread that opened it: {@link #view} for a thread that was handed the value, or
 * {@link #segment} for the simple case in which one thread reads and closes it. An open view keeps the
 * bytes whatever the holders do.
 *
 * <p>While it is pinned it keeps a block of the cache, or a file, of its database, so let go soon. If the
 * database is closed meanwhile, the value stays readable; see {@link RocksDb#close}.
 */
public final class PinnedValue extends Pinned {
  private final Database database;
  private final long address;
  private final long size;
  private final long pin;

  private PinnedValue(Database database, long address, long size, long pin) {
    this.database = database;
    this.address = address;
    this.size = size;
    this.pin = pin;
  }

  /** Pins what the call asks for, and leaves the call; null if there is no such key. */
  static PinnedValue read(Source source, Call call) {
    try {
      return source.pin(call)
          ? new PinnedValue(source.database(), call.address(), call.size(), call.pin())
          : null;
    } finally {
      call.exit();
    }
  }

  @Override
  void release() {
    database.release(pin);
  }

  /**
   * How many bytes the value has.
   *
   * @return the size; also after the last holder let go
   */
  public long size() {
    return size;
  }

  /**
   * The value's bytes, read-only, for a thread that reads and closes the value itself: <em>borrowed
   * until</em> that thread closes it. They are confined to the thread that asks first; use {@link #view}
   * where several do.
   *
   * @return the bytes
   */
  public MemorySegment segment() {
    return Memory.view(address, size, ownArena(), null);
  }

  /**
   * Opens a view of the value's bytes for the current thread.
   *
   * @return the view, which the caller <em>owns</em> and must close
   */
  public View view() {
    openView();
    return new View(this);
  }

  /**
   * Adds a holder, who must let go by a {@link #close} of its own.
   *
   * @return this value
   */
  public PinnedValue retain() {
    addHolder();
    return this;
  }

  /** The bytes of a pinned value as one thread sees them; for that thread alone. */
  public static final class View implements AutoCloseable {
    private final PinnedValue value;
    private final Arena arena = Arena.ofConfined();

    private View(PinnedValue value) {
      this.value = value;
    }

    /**
     * The value's bytes.
     *
     * @return read-only memory, <em>borrowed until</em> this view is closed, and confined to this thread
     */
    public MemorySegment segment() {
      return Memory.view(value.address, value.size, arena, null);
    }

    /** Ends the view; idempotent. */
    @Override
    public void close() {
      if (arena.scope().isAlive()) {
        arena.close();
        value.closeView();
      }
    }
  }
}
