/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.read;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_reader;
import org.rocksdbffm.internal.c.rocksdb_ffm_value;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.Locking;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.NativeSnapshot;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.transaction.NativeOverlay;
import org.rocksdbffm.internal.transaction.SnapshotUse;

/**
 * Where single keys are read: one column family of a database, seen through one set of read options and
 * perhaps a snapshot. The read core: every kind of get is one downcall that fills a buffer or pins.
 * Thread-safe.
 *
 * <p>Every method that takes a {@link Call} takes one from {@link #enter} with its key copied, and leaves it.
 */
public sealed class ReadPath permits TimedPath {
  /** The result of {@link #into} when there is no such key. */
  public static final long ABSENT = -1;

  /** Values up to this size are copied by the stub; a larger one is pinned, copied if need be, and released. */
  public static final int COPY_LIMIT =
      Math.clamp(Integer.getInteger("org.rocksdbffm.copyLimit", 1536), 0, Call.VALUE_ROOM);

  private final Database database;
  private final Handle guardedDatabase;
  private final NativeFamily family;
  private final NativeReadOptions options;
  private final Handle guardedFamily;
  private final Handle guardedSnapshot;

  // Tokens: an object that holds them counts as a user of the database and the snapshot.
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private final Object databaseToken;

  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private final Object snapshotToken;

  // A struct rocksdb_ffm_reader, reclaimed with this object.
  private final MemorySegment reader;
  private final long readerAddress;

  /**
   * A path that <em>shares</em> all it is given.
   *
   * @param snapshot null for the latest state; the options hold it too
   */
  public static ReadPath of(NativeFamily family, NativeReadOptions options, NativeSnapshot snapshot) {
    return options.haveDeadline()
        ? new TimedPath(family, options, snapshot)
        : new ReadPath(family, options, snapshot);
  }

  ReadPath(NativeFamily family, NativeReadOptions options, NativeSnapshot snapshot) {
    this.database = family.database();
    this.guardedDatabase = database.handle();
    this.family = family;
    this.options = options;
    this.databaseToken = database.token();
    this.snapshotToken = snapshot == null ? null : snapshot.token();
    this.guardedFamily = family.isDefault() ? null : family.handle();
    this.guardedSnapshot = snapshot == null ? null : snapshot.handle();
    reader = rocksdb_ffm_reader.allocate(Arena.ofAuto());
    readerAddress = reader.address();
    Memory.point(reader, rocksdb_ffm_reader.engine$offset(), EngineTable.TABLE);
    Memory.point(reader, rocksdb_ffm_reader.db$offset(), database.pointer());
    Memory.point(reader, rocksdb_ffm_reader.options$offset(), options.pointer());
    Memory.point(reader, rocksdb_ffm_reader.column_family$offset(), family.pointer());
  }

  /** A path of the same family under other options. */
  public ReadPath with(NativeReadOptions options, NativeSnapshot snapshot) {
    boolean isThis = options == this.options && (snapshot == null ? null : snapshot.handle()) == guardedSnapshot;
    return isThis ? this : of(family, options, snapshot);
  }

  public Database database() {
    return database;
  }

  public NativeFamily family() {
    return family;
  }

  public NativeReadOptions options() {
    return options;
  }

  /** A call that keeps all of this path alive. */
  public Call enter() {
    Call call = Call.enter(guardedDatabase);
    if (guardedFamily != null || guardedSnapshot != null) {
      call.alsoUse(guardedFamily, guardedSnapshot);
    }
    return call;
  }

  public Call enter(NativeOverlay overlay, Locking locking) {
    return overlay == null ? enter() : overlay.read(enter(), locking, options.pointer(), family);
  }

  /** The value as a new array; null if there is no such key. */
  public byte[] bytes(Call call) {
    try {
      int found = get(call, COPY_LIMIT);
      if (found == RocksDbC.ROCKSDB_FFM_NOT_FOUND()) {
        return null;
      }
      try {
        return call.toArray();
      } finally {
        releasePin(call, found);
      }
    } finally {
      call.exit();
    }
  }

  /** Whether there is a value; it is read and not copied. */
  public boolean contains(Call call) {
    try {
      return fill(call, 0) != ABSENT;
    } finally {
      call.exit();
    }
  }

  /**
   * Copies the value to the start of an array's part, all of it or nothing.
   *
   * @return the value's size, or {@link #ABSENT}; more than {@code length} says that nothing was copied
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
      if (found == RocksDbC.ROCKSDB_FFM_NOT_FOUND()) {
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
   * Copies the value to the start of a segment of any kind, all of it or nothing; see the other one. It is the JVM that
   * copies, because a file may shrink below its mapping, which the JVM survives and the engine does not; and nobody can
   * tell of a segment that it is none: one over a view of a mapped buffer, or one with another size, says no more so.
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
      if (found == RocksDbC.ROCKSDB_FFM_NOT_FOUND()) {
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
   * Copies the value to the start of a segment of any kind, or pins it if it does not fit.
   *
   * @return the value's size, or {@link #ABSENT}; more than the segment's size says that the value was pinned, and the
   *     pin is the caller's as that of {@link #pin(Call)}
   */
  public long intoOrPin(Call call, MemorySegment target) {
    requireWritable(target);
    long room = target.byteSize();
    int found = get(call, Math.min(room, COPY_LIMIT));
    if (found == RocksDbC.ROCKSDB_FFM_NOT_FOUND()) {
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
      throw new IllegalArgumentException("target: the segment is read-only");
    }
  }

  /** Throws if a target is dead, or another thread's: where nothing is copied, nothing else would. */
  public static void requireAlive(MemorySegment target) {
    if (target.byteSize() > 0) {
      target.get(ValueLayout.JAVA_BYTE, 0);
    }
  }

  /**
   * Pins the value; false if there is no such key. The pin is described by the call, which stays entered, and
   * the caller <em>owns</em> it: it gives it to {@link NativeFamily#release} exactly once, on any thread.
   */
  public boolean pin(Call call) {
    int found = get(call, 0);
    if (found == RocksDbC.ROCKSDB_FFM_NOT_FOUND()) {
      return false;
    }
    pinned(call, found);
    return true;
  }

  /** Counts the pin that the call describes, or releases it. */
  private void pinned(Call call, int found) {
    try {
      family.pinned(call.size());
    } catch (Throwable e) {
      releasePin(call, found);
      throw e;
    }
  }

  /** The value in memory that lives as long as the arena, copied if small and pinned if not; null if absent. */
  public MemorySegment inArena(Call call, Arena arena) {
    byte[] copy = null;
    long address = 0;
    long size = 0;
    long pin = 0;
    try {
      int found = get(call, COPY_LIMIT);
      if (found == RocksDbC.ROCKSDB_FFM_NOT_FOUND()) {
        return null;
      }
      if (found == RocksDbC.ROCKSDB_FFM_COPIED()) {
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

  /** If not, its code is the user's, of which none runs within a call, or sees a call's memory. */
  private static boolean isOfTheJdk(Arena arena) {
    return arena.getClass().getModule() == Arena.class.getModule();
  }

  private MemorySegment pinnedView(long address, long size, long pin, Arena arena) {
    ArenaPin owner = null;
    try {
      owner = new ArenaPin(family, pin, size);
      return Memory.view(address, size, arena, owner);
    } catch (Throwable e) {
      // The arena is closed, confined to another thread, of the user's making, or has got the pin already.
      if (owner != null) {
        owner.run();
      } else {
        family.release(pin, size);
      }
      throw e;
    }
  }

  /** A pin that an arena <em>owns</em>; released once, whoever does it. */
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

  /** Whether the key may exist: false is certain, true is not. Over an overlay, both are. */
  public boolean mayExist(Call call) {
    if (call.isOverlaid()) {
      return contains(call);
    }
    try {
      StackRoom.require(); // it is not among the calls that are linked at the opening
      boolean may =
          RocksDbC.rocksdb_key_may_exist_cf(
                  database.pointer(),
                  options.pointer(),
                  family.pointer(),
                  call.key(),
                  call.keySize(),
                  MemorySegment.NULL,
                  MemorySegment.NULL,
                  MemorySegment.NULL,
                  0,
                  MemorySegment.NULL)
              != 0;
      database.requireSound();
      return may;
    } finally {
      Reference.reachabilityFence(this);
      call.exit();
    }
  }

  /**
   * Pins the values of many keys, each in the column family of the path that it was added with, and leaves the call, which
   * has no key.
   */
  public PinBatch pin(Call call, KeyList keys) {
    return MultiRead.pin(this, call, keys);
  }

  /** Copies the values of keys of this path, null where there is none, and leaves the call, which has no key. */
  public byte[][] copy(Call call, byte[][] keys) {
    return MultiRead.copy(this, call, KeyList.of(this, keys));
  }

  /** A struct {@code rocksdb_ffm_reader}, valid while this object is reachable. */
  MemorySegment reader() {
    return reader;
  }

  /** Where the value is copied, it is to the call's own memory. */
  int get(Call call, long capacity) {
    int found =
        call.isOverlaid()
            ? getInTransaction(call, capacity)
            : HotCalls.get(
                readerAddress, call.keyAddress(), call.keySize(), call.valueRoomAddress(), capacity, call.resultAddress());
    return checked(call, found);
  }

  private int getInTransaction(Call call, long capacity) {
    SnapshotUse.lock(call, family, call.keyAddress(), call.keySize());
    long reader = call.readerAddress();
    long key = call.keyAddress();
    long size = call.keySize();
    long room = call.valueRoomAddress();
    long result = call.resultAddress();
    return switch (call.locking()) {
      case NONE -> HotCalls.get(reader, key, size, room, capacity, result);
      case TO_SHARE -> HotCalls.getToShare(reader, key, size, room, capacity, result);
      case FOR_UPDATE -> HotCalls.getForUpdate(reader, key, size, room, capacity, result);
    };
  }

  private int checked(Call call, int found) {
    Reference.reachabilityFence(this);
    if (found == RocksDbC.ROCKSDB_FFM_FAILED()) {
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

  /** Lets the engine copy the value itself to the call's memory, without a pin: for a target whose size is known. */
  long fill(Call call, long capacity) {
    if (call.isOverlaid()) {
      return fillByPin(call, capacity);
    }
    long room = call.value().address();
    int found = HotCalls.getInto(readerAddress, call.keyAddress(), call.keySize(), room, capacity, call.resultAddress());
    Reference.reachabilityFence(this);
    if (found == RocksDbC.ROCKSDB_FFM_FAILED()) {
      throw failure(call);
    }
    database.requireSound();
    return found == RocksDbC.ROCKSDB_FFM_NOT_FOUND() ? ABSENT : call.size();
  }

  /** The same over an overlay, where the engine always pins. */
  private long fillByPin(Call call, long capacity) {
    int found = get(call, capacity);
    if (found == RocksDbC.ROCKSDB_FFM_NOT_FOUND()) {
      return ABSENT;
    }
    releasePin(call, found);
    return call.size();
  }

  private RocksDbException failure(Call call) {
    RocksDbException failure = Status.takeMessage(call.message(), family.handle().name());
    if (call.isOverlaid() && failure.isConflict()) {
      FlightRecords.conflicted(family.handle().name(), failure.getMessage());
    }
    return failure;
  }

  private static void releasePin(Call call, int found) {
    if (found == RocksDbC.ROCKSDB_FFM_PINNED()) {
      HotCalls.release(call.pin());
    }
  }
}
