/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.read;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.Locking;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.NativeSnapshot;
import org.rocksdbffm.internal.db.Parent;
import org.rocksdbffm.internal.foreign.Codes;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.transaction.NativeOverlay;
import org.rocksdbffm.internal.transaction.SnapshotUse;

/**
 * Reads single keys of one column family with fixed read options: from the database, through an overlay, or with a
 * deadline. Every get is one downcall, which copies the value to a buffer or pins it. Thread-safe.
 *
 * <p>Each method with a {@link Call} parameter expects a call from {@link #enter} with the key copied into it, and
 * exits the call.
 */
public abstract sealed class ReadPath permits DatabasePath, OverlayPath, TimedPath {
  /** Returned by {@link #into} if the key is missing. */
  public static final long ABSENT = -1;

  /** Returned instead of a code of the stubs if the value may be in a file that the options forbid to read. */
  public static final int NOT_CACHED = -2;

  /** Returned instead of a value that may be in a file. */
  public static final byte[] UNREAD = {};

  /** The stub copies values up to this size; a larger value is pinned, copied if needed, and released. */
  public static final int COPY_LIMIT =
      Math.clamp(Integer.getInteger("org.rocksdbffm.copyLimit", 1536), 0, Call.VALUE_ROOM);

  private final Database database;
  private final NativeFamily family;
  private final NativeReadOptions options;
  final Handle guardedDatabase;
  final Handle guardedFamily; // null for the default family, which lives as long as the database

  // Liveness token: while this object is reachable, the database counts as used.
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private final Object databaseToken;

  ReadPath(NativeFamily family, NativeReadOptions options) {
    this.database = family.database();
    this.guardedDatabase = database.handle();
    this.family = family;
    this.options = options;
    this.databaseToken = database.token();
    this.guardedFamily = family.isDefault() ? null : family.handle();
  }

  /**
   * Returns a path that reads the database and <em>shares</em> its arguments.
   *
   * @param snapshot null for the latest state; also set in the options
   */
  public static ReadPath of(NativeFamily family, NativeReadOptions options, NativeSnapshot snapshot) {
    return new DatabasePath(family, options, snapshot).timed();
  }

  /** Returns a path that reads the database through a transaction or an indexed batch. */
  public static ReadPath of(NativeFamily family, NativeReadOptions options, NativeOverlay overlay, Locking locking) {
    return new OverlayPath(family, options, overlay, locking).timed();
  }

  /** Returns a path of the same family with other options, in which the snapshot is set; null for the latest state. */
  public final ReadPath with(NativeReadOptions options, NativeSnapshot snapshot) {
    return options == this.options ? this : another(options, snapshot);
  }

  abstract ReadPath another(NativeReadOptions options, NativeSnapshot snapshot);

  /** Returns this path, or a path that counts the deadline of the options for each read if they have one. */
  final ReadPath timed() {
    return options.haveDeadline() ? new TimedPath(this) : this;
  }

  /** Returns the path for one read of a call; {@link #takeBack} gets it after the read. */
  ReadPath lend(Call call) {
    return this;
  }

  void takeBack(ReadPath lent) {}

  /** Returns an equal path with a copy of the options. */
  abstract ReadPath copy();

  /** Makes a call, which another path has entered, use this path's options. */
  abstract void adopt(Call call);

  /** Enters a call that keeps the database, the family and the snapshot or overlay open. */
  public abstract Call enter();

  /** Reads the value: copies it to the call's memory if it has at most {@code capacity} bytes, otherwise pins it. */
  abstract int get(Call call, long capacity);

  /** As {@link #get}, for options that read no file; a path that cannot do so returns {@link #NOT_CACHED}. */
  int getCached(Call call, long capacity) {
    return NOT_CACHED;
  }

  /** Makes the engine copy the value to the call's memory without a pin, for targets of known size. */
  abstract long fill(Call call, long capacity);

  /** Whether the key may exist: false is certain. */
  public abstract boolean mayExist(Call call);

  /** Locks a key before a multi-get reads it, if the engine does not. */
  abstract void lock(Call call, NativeFamily family, long key, long size);

  /** Returns the struct {@code rocksdb_ffm_reader} of a call, valid while this object is reachable. */
  abstract MemorySegment reader(Call call);

  /** Returns the C++ stub's number for the source of entities, see {@code EntityCalls}. */
  abstract int entitySource();

  /** Whether the C++ stubs can read many keys together, unlike the C stubs; the source is {@link #entitySource}. */
  boolean readsTogetherByCxx() {
    return false;
  }

  /** Returns the stub's flag for reading many keys: 0 to read them together. */
  abstract int togetherIfPossible();

  /** Returns the stub's flag for reading many keys one by one, with the lock that each read takes. */
  abstract int oneByOne();

  /** Returns the open object that closes the iterators of this path before itself. */
  public abstract Parent parent();

  /** Opens an engine iterator; called within a call of this path. */
  public abstract MemorySegment iterator(MemorySegment options);

  /** Whether several threads may read through this path at the same time. */
  public final boolean isThreadSafe() {
    return parent() == database;
  }

  public final Database database() {
    return database;
  }

  public final NativeFamily family() {
    return family;
  }

  public final NativeReadOptions options() {
    return options;
  }

  /** Returns the value as a new array; null if the key is missing. */
  public byte[] bytes(Call call) {
    try {
      return taken(call, get(call, COPY_LIMIT));
    } finally {
      call.exit();
    }
  }

  private static byte[] taken(Call call, int found) {
    if (found == Codes.NOT_FOUND) {
      return null;
    }
    try {
      return call.toArray();
    } finally {
      releasePin(call, found);
    }
  }

  /**
   * Returns the value as a new array, for options that read no file: null if the key is missing, {@link #UNREAD} if the
   * value may be in a file.
   */
  public byte[] cachedBytes(Call call) {
    try {
      int found = getCached(call, COPY_LIMIT);
      return found == NOT_CACHED ? UNREAD : taken(call, found);
    } finally {
      call.exit();
    }
  }

  /** Returns whether the key has a value; reads the value, but does not copy it. */
  public boolean contains(Call call) {
    try {
      return fill(call, 0) != ABSENT;
    } finally {
      call.exit();
    }
  }

  /**
   * Copies the value to a range of an array, if it fits.
   *
   * @return the value's size, or {@link #ABSENT}; if it exceeds {@code length}, nothing was copied
   */
  public long into(Call call, byte[] target, int offset, int length) {
    try {
      if (length <= COPY_LIMIT) {
        long size = fill(call, length);
        if (size > 0 && size <= length) {
          MemorySegment.copy(call.value(), ValueLayout.JAVA_BYTE, 0, target, offset, (int) size);
        }
        return size;
      }
      int found = get(call, COPY_LIMIT);
      if (found == Codes.NOT_FOUND) {
        return ABSENT;
      }
      try {
        long size = call.size();
        if (size <= length) {
          Memory.copy(call.address(), target, offset, (int) size);
        }
        return size;
      } finally {
        releasePin(call, found);
      }
    } finally {
      call.exit();
    }
  }

  /**
   * Copies the value to the start of a segment, if it fits; results as for the array. Always copied by the JVM, which
   * survives a mapped file that is truncated, unlike the engine. The kind of segment cannot be checked instead: a
   * sliced or wrapped segment does not reveal that it is file-backed.
   */
  public long into(Call call, MemorySegment target) {
    try {
      requireWritable(target);
      long room = target.byteSize();
      if (room <= COPY_LIMIT) {
        long size = fill(call, room);
        if (size > 0 && size <= room) {
          Memory.copyByJvm(call.valueRoomAddress(), size, target);
        }
        return size;
      }
      int found = get(call, COPY_LIMIT);
      if (found == Codes.NOT_FOUND) {
        return ABSENT;
      }
      long size = call.size();
      if (size <= room) {
        copyOut(call, found, target);
      } else {
        releasePin(call, found);
      }
      return size;
    } finally {
      call.exit();
    }
  }

  /**
   * Copies the value to the start of a segment, or pins it if it does not fit.
   *
   * @return the value's size, or {@link #ABSENT}; if it exceeds the segment's size, the value was pinned, and the
   *     caller owns the pin as after {@link #pin(Call)}
   */
  public long intoOrPin(Call call, MemorySegment target) {
    requireWritable(target);
    long room = target.byteSize();
    int found = get(call, Math.min(room, COPY_LIMIT));
    if (found == Codes.NOT_FOUND) {
      return ABSENT;
    }
    long size = call.size();
    if (size > room) {
      pinned(call, found);
    } else {
      copyOut(call, found, target);
    }
    return size;
  }

  private static void copyOut(Call call, int found, MemorySegment target) {
    try {
      Memory.copyByJvm(call.address(), call.size(), target);
    } finally {
      releasePin(call, found);
    }
  }

  private static void requireWritable(MemorySegment target) {
    if (target.isReadOnly()) {
      throw new IllegalArgumentException(
          "target: the segment is read-only; copy the value into one that can be written");
    }
  }

  /**
   * Throws if the segment is closed or confined to another thread; needed if nothing is copied, so no access would
   * throw.
   */
  public static void requireAlive(MemorySegment target) {
    try {
      if (target.byteSize() > 0) {
        target.get(ValueLayout.JAVA_BYTE, 0);
      }
    } catch (IllegalStateException | WrongThreadException e) {
      throw Memory.inaccessible("target", e);
    }
  }

  /**
   * Pins the value; returns false if the key is missing. The call, which stays entered, describes the pin. The caller
   * <em>owns</em> it, and passes it to {@link NativeFamily#release} exactly once, on any thread.
   */
  public boolean pin(Call call) {
    int found = get(call, 0);
    if (found == Codes.NOT_FOUND) {
      return false;
    }
    pinned(call, found);
    return true;
  }

  /** As {@link #pin}, for options that read no file: returns a code of the stubs, or {@link #NOT_CACHED}. */
  public int pinCached(Call call) {
    int found = getCached(call, 0);
    if (found != NOT_CACHED && found != Codes.NOT_FOUND) {
      pinned(call, found); // an empty value is copied, and counted too
    }
    return found;
  }

  /** Counts the pin that the call describes, or releases it if it is refused. */
  private void pinned(Call call, int found) {
    try {
      family.pinned(call.size());
    } catch (Throwable e) {
      releasePin(call, found);
      throw e;
    }
  }

  /**
   * Returns the value with the lifetime of the arena: small values are copied, large ones pinned; null if the key is
   * missing.
   */
  public MemorySegment inArena(Call call, Arena arena) {
    byte[] copy = null;
    long address = 0;
    long size = 0;
    long pin = 0;
    try {
      int found = get(call, COPY_LIMIT);
      if (found == Codes.NOT_FOUND) {
        return null;
      }
      if (found == Codes.COPIED) {
        if (isOfTheJdk(arena)) {
          MemorySegment value = Memory.at(call.address(), call.size());
          return arena.allocateFrom(ValueLayout.JAVA_BYTE, value, ValueLayout.JAVA_BYTE, 0, call.size()).asReadOnly();
        }
        copy = Memory.toArray(call.address(), call.size());
      } else {
        pinned(call, found);
        address = call.address();
        size = call.size();
        pin = call.pin();
      }
    } finally {
      call.exit();
    }
    return copy != null
        ? arena.allocateFrom(ValueLayout.JAVA_BYTE, copy).asReadOnly()
        : pinnedView(address, size, pin, arena);
  }

  /** Other arenas run user code, which must not run within a call, nor see the call's memory. */
  private static boolean isOfTheJdk(Arena arena) {
    return arena.getClass().getModule() == Arena.class.getModule();
  }

  private MemorySegment pinnedView(long address, long size, long pin, Arena arena) {
    ArenaPin owner = null;
    try {
      owner = new ArenaPin(family, pin, size);
      return Memory.view(address, size, arena, owner);
    } catch (Throwable e) {
      // The arena is closed, confined to another thread, user code that threw, or has accepted the pin already.
      if (owner != null) {
        owner.run();
      } else {
        family.release(pin, size);
      }
      throw e;
    }
  }

  /** A pin that an arena <em>owns</em>; released once. */
  private static final class ArenaPin implements Runnable {
    private final NativeFamily family;
    private final long pin;
    private final long size;
    private boolean released;

    ArenaPin(NativeFamily family, long pin, long size) {
      this.family = family;
      this.pin = pin;
      this.size = size;
    }

    @Override
    public synchronized void run() {
      if (!released) {
        released = true;
        family.release(pin, size);
      }
    }
  }

  /** Returns a result of a get; throws if it failed, or if the database was closed or failed since. */
  final int checked(Call call, int found) {
    Reference.reachabilityFence(this);
    if (found == Codes.FAILED) {
      throw failure(call);
    }
    if (guardedDatabase.isRefusing()) {
      requireSound(call, found);
    }
    return found;
  }

  private void requireSound(Call call, int found) {
    try {
      database.requireSound();
    } catch (IllegalStateException e) {
      releasePin(call, found);
      throw e;
    }
  }

  /** Throws if the call's error cell has a message. */
  final void requireNoError(Call call) {
    if (Memory.pointer(call.error, 0) != 0) {
      throw SnapshotUse.recorded(Status.take(call.error, family.handle().name()), family);
    }
  }

  RocksDbException failure(Call call) {
    return Status.takeMessage(call.message(), family.handle().name());
  }

  static void releasePin(Call call, int found) {
    if (found == Codes.PINNED) {
      HotCalls.release(call.pin());
    }
  }

  @Override
  public String toString() {
    return family.handle().toString();
  }
}
