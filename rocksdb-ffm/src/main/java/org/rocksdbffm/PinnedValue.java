/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.Call;
import org.rocksdbffm.internal.Memory;
import org.rocksdbffm.internal.NativeFamily;
import org.rocksdbffm.internal.Source;
import org.rocksdbffm.internal.Watch;
import org.rocksdbffm.internal.WatchedPin;

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
public sealed class PinnedValue extends Pinned {
  private final NativeFamily family;
  private final long address;
  private final long pin;

  // Unsigned: the engine's values have less than 4 GiB, and the object has 48 bytes.
  private final int size;

  private PinnedValue(NativeFamily family, long address, long size, long pin) {
    this.family = family;
    this.address = address;
    this.size = (int) size;
    this.pin = pin;
  }

  /** Pins what the call asks for, and leaves the call; null if there is no such key. */
  static PinnedValue read(Source source, Call call) {
    try {
      return source.pin(call) ? of(source.family(), call) : null;
    } finally {
      call.exit();
    }
  }

  private static PinnedValue of(NativeFamily family, Call call) {
    try {
      return WatchedPin.isDue() ? watched(family, call) : plain(family, call);
    } catch (Throwable e) {
      family.release(call.pin());
      throw e;
    }
  }

  private static PinnedValue plain(NativeFamily family, Call call) {
    return new PinnedValue(family, call.address(), call.size(), call.pin());
  }

  // Apart, because it is rare and large, which keeps the compiler from inlining what is around it.
  private static PinnedValue watched(NativeFamily family, Call call) {
    return new Watched(family, call.address(), call.size(), call.pin());
  }

  @Override
  String name() {
    return "pinned value of " + family.handle();
  }

  @Override
  void release() {
    family.release(pin);
  }

  /**
   * How many bytes the value has.
   *
   * @return the size; also after the last holder let go
   */
  public final long size() {
    return Integer.toUnsignedLong(size);
  }

  /**
   * The value's bytes, read-only, for a thread that reads and closes the value itself: <em>borrowed
   * until</em> that thread closes it. They are confined to the thread that asks first; use {@link #view}
   * where several do.
   *
   * @return the bytes
   */
  public final MemorySegment segment() {
    return Memory.view(address, size(), ownArena());
  }

  /**
   * Opens a view of the value's bytes for the current thread.
   *
   * @return the view, which the caller <em>owns</em> and must close
   */
  public final View view() {
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
   * @return this value
   */
  public final PinnedValue retain() {
    addHolder();
    return this;
  }

  /** A value that is missed when nobody closes it. */
  private static final class Watched extends PinnedValue {
    private final WatchedPin watched;
    private final Watch watch;

    Watched(NativeFamily family, long address, long size, long pin) {
      super(family, address, size, pin);
      watched = new WatchedPin(name(), () -> family.release(pin));
      watch = Watch.over(this, watched);
    }

    @Override
    void openView() {
      watched.viewed();
      super.openView();
    }

    @Override
    void release() {
      watched.release();
      watch.end();
    }
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
      requireOpen(arena, value);
      return Memory.view(value.address, value.size(), arena);
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
