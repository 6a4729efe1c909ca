/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Locking;
import org.rocksdbffm.internal.db.NativeSnapshot;
import org.rocksdbffm.internal.db.ReadMoment;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.transaction.NativeOverlay;

/**
 * Reads the keys of one column family under one set of read options. Thread-safe.
 *
 * <p>A key is a {@code byte[]} or a {@link MemorySegment} of any kind; a {@code ByteBuffer} is passed as
 * {@link MemorySegment#ofBuffer MemorySegment.ofBuffer(buffer)}. It is borrowed until the method returns.
 *
 * <p>Every method throws {@link IllegalStateException} if the database (or column family, or snapshot) is
 * closed, and {@link RocksDbException} if the engine fails.
 */
public sealed class KeyReader permits WritableKeys, Snapshot, TransactionReader {
  /** The result of {@code getInto} when there is no such key. */
  public static final long ABSENT = ReadPath.ABSENT;

  final ReadPath source;
  final ReadOptions readOptions;
  final NativeSnapshot snapshot; // null: reads see the latest writes
  final NativeOverlay overlay; // a transaction or an indexed batch; null: reads see what is written
  final Locking locking;

  KeyReader(ReadPath source, ReadOptions readOptions, NativeSnapshot snapshot) {
    this.source = source;
    this.readOptions = readOptions;
    this.snapshot = snapshot;
    this.overlay = null;
    this.locking = Locking.NONE;
  }

  KeyReader(ReadPath source, ReadOptions readOptions, NativeOverlay overlay, Locking locking) {
    this.source = source;
    this.readOptions = readOptions;
    this.snapshot = null;
    this.overlay = overlay;
    this.locking = locking;
  }

  private Call enter(byte[] key) {
    return source.enter(overlay, locking).withKey(key);
  }

  private Call enter(MemorySegment key) {
    return source.enter(overlay, locking).withKey(key);
  }

  /** A call that has no key. */
  final Call enter() {
    return source.enter(overlay, locking);
  }

  /** The moment that scans and cursors see; null for the latest state. */
  ReadMoment moment() {
    return snapshot;
  }

  private void requireNoLocks(String what) {
    if (locking != Locking.NONE) {
      throw new UnsupportedOperationException(
          what + ": the engine locks single keys, and no ranges; scan the transaction, and lock each key that matters");
    }
  }

  ReadPath sourceWith(ReadOptions options) {
    return source.with(options.toNative(snapshot), snapshot);
  }

  /**
   * Reads the same keys under other options.
   *
   * @param options replace all of this reader's options
   * @return a reader that needs no closing
   */
  public KeyReader with(ReadOptions options) {
    ReadPath path = sourceWith(requireNonNull(options, "options"));
    return new KeyReader(path, options, snapshot);
  }

  /**
   * Reads a value into a new array.
   *
   * @param key borrowed
   * @return the value, or null if there is no such key
   */
  public byte[] get(byte[] key) {
    return source.bytes(enter(requireNonNull(key, "key")));
  }

  /**
   * Reads a value into a new array.
   *
   * @param key borrowed
   * @return the value, or null if there is no such key
   */
  public byte[] get(MemorySegment key) {
    return source.bytes(enter(requireNonNull(key, "key")));
  }

  /**
   * Copies a value to the start of an array: all of it, or nothing.
   *
   * @param key borrowed
   * @param target filled from its start
   * @return the value's size, or {@link #ABSENT}; a size above {@code target.length} says that the value
   *     did not fit and nothing was copied
   */
  public long getInto(byte[] key, byte[] target) {
    requireNonNull(target, "target");
    return source.into(enter(requireNonNull(key, "key")), target, 0, target.length);
  }

  /**
   * Copies a value to the start of a segment of any kind: all of it, or nothing. With native memory the
   * engine copies straight to it.
   *
   * @param key borrowed
   * @param target filled from its start
   * @return the value's size, or {@link #ABSENT}; a size above {@code target.byteSize()} says that the value
   *     did not fit and nothing was copied
   */
  public long getInto(MemorySegment key, MemorySegment target) {
    ReadPath.requireAlive(requireNonNull(target, "target"));
    return source.into(enter(requireNonNull(key, "key")), target);
  }

  /**
   * Copies a value to the start of a segment if it fits, and pins it if it does not, with one call to the engine: for
   * who copies small values and not large ones.
   *
   * @param key borrowed
   * @param target of any kind, filled from its start; as large as values that are worth copying
   * @param otherwise gets a value that does not fit, which it <em>owns</em> and must close; before this method returns
   * @return the value's size, or {@link #ABSENT}; a size above {@code target.byteSize()} says that nothing was copied,
   *     and {@code otherwise} got the value
   */
  public long getInto(MemorySegment key, MemorySegment target, Consumer<? super PinnedValue> otherwise) {
    ReadPath.requireAlive(requireNonNull(target, "target"));
    requireNonNull(otherwise, "otherwise");
    return PinnedValue.readInto(source, enter(requireNonNull(key, "key")), target, otherwise);
  }

  /**
   * Pins a value where the engine has it, without a copy.
   *
   * @param key borrowed
   * @return the value, which the caller <em>owns</em> and must close; or null if there is no such key
   */
  public PinnedValue getPinned(byte[] key) {
    return PinnedValue.read(source, enter(requireNonNull(key, "key")));
  }

  /**
   * Pins a value where the engine has it, without a copy.
   *
   * @param key borrowed
   * @return the value, which the caller <em>owns</em> and must close; or null if there is no such key
   */
  public PinnedValue getPinned(MemorySegment key) {
    return PinnedValue.read(source, enter(requireNonNull(key, "key")));
  }

  /**
   * Reads a value into memory that lives as long as an arena: copied if it is small, pinned without a copy
   * if it is large. A pinned value is released when the arena is closed (or collected), and the database
   * stays open in the engine until then; see {@link RocksDb#close}.
   *
   * @param key borrowed
   * @param arena of any kind; the global one would pin for ever
   * @return the value, read-only, or null if there is no such key
   */
  public MemorySegment get(byte[] key, Arena arena) {
    requireNonNull(arena, "arena");
    return source.inArena(enter(requireNonNull(key, "key")), arena);
  }

  /**
   * Reads a value into memory that lives as long as an arena; see {@link #get(byte[], Arena)}.
   *
   * @param key borrowed
   * @param arena of any kind; the global one would pin for ever
   * @return the value, read-only, or null if there is no such key
   */
  public MemorySegment get(MemorySegment key, Arena arena) {
    requireNonNull(arena, "arena");
    return source.inArena(enter(requireNonNull(key, "key")), arena);
  }

  /**
   * Looks at a value where the engine has it, without a copy and without an object.
   *
   * @param <T> what the look yields
   * @param key borrowed
   * @param look gets the value, read-only, <em>borrowed until</em> it returns and confined to this thread
   * @return what {@code look} returned, or null without calling it if there is no such key
   */
  public <T> T get(byte[] key, Function<? super MemorySegment, ? extends T> look) {
    requireNonNull(look, "look");
    return look(enter(requireNonNull(key, "key")), look);
  }

  /**
   * Looks at a value where the engine has it; see {@link #get(byte[], Function)}.
   *
   * @param <T> what the look yields
   * @param key borrowed
   * @param look gets the value, read-only, <em>borrowed until</em> it returns and confined to this thread
   * @return what {@code look} returned, or null without calling it if there is no such key
   */
  public <T> T get(MemorySegment key, Function<? super MemorySegment, ? extends T> look) {
    requireNonNull(look, "look");
    return look(enter(requireNonNull(key, "key")), look);
  }

  private <T> T look(Call call, Function<? super MemorySegment, ? extends T> look) {
    long address;
    long size;
    long pin;
    try {
      if (!source.pin(call)) {
        return null;
      }
      address = call.address();
      size = call.size();
      pin = call.pin();
    } finally {
      call.exit();
    }
    try (Arena arena = Arena.ofConfined()) {
      return look.apply(Memory.view(address, size, arena));
    } finally {
      source.family().release(pin, size);
    }
  }

  /**
   * Whether there is a value for a key; unlike {@link #mayExist(byte[])} it reads the value to say so, and copies nothing.
   *
   * @param key borrowed
   * @return whether there is one
   */
  public boolean contains(byte[] key) {
    return source.contains(enter(requireNonNull(key, "key")));
  }

  /**
   * Whether there is a value for a key; unlike {@link #mayExist(MemorySegment)} it reads the value to say so, and copies nothing.
   *
   * @param key borrowed
   * @return whether there is one
   */
  public boolean contains(MemorySegment key) {
    return source.contains(enter(requireNonNull(key, "key")));
  }

  /**
   * Asks memory alone (memtables, filters, cached blocks) whether a key may exist.
   *
   * @param key borrowed
   * @return false if there certainly is no such key; true says nothing
   */
  public boolean mayExist(byte[] key) {
    return source.mayExist(enter(requireNonNull(key, "key")));
  }

  /**
   * Asks memory alone (memtables, filters, cached blocks) whether a key may exist.
   *
   * @param key borrowed
   * @return false if there certainly is no such key; true says nothing
   */
  public boolean mayExist(MemorySegment key) {
    return source.mayExist(enter(requireNonNull(key, "key")));
  }

  /**
   * Opens a cursor over all keys. It sees the database as it is now.
   *
   * @return the cursor, which the caller <em>owns</em> and must close; it stands nowhere yet
   */
  public Cursor cursor() {
    return cursor(KeyRange.all());
  }

  /**
   * Opens a cursor over a range of keys. It sees the database as it is now.
   *
   * @param range what the cursor stays within
   * @return the cursor, which the caller <em>owns</em> and must close; it stands nowhere yet
   */
  public Cursor cursor(KeyRange range) {
    requireNoLocks("cursor");
    return new Cursor(this, requireNonNull(range, "range"));
  }

  /**
   * Opens a scan of a range, from its first key to its last. It reads many rows in one call to the engine.
   *
   * @param range what to scan
   * @return the scan, which the caller <em>owns</em> and must close; it stands before the first row
   */
  public Scan scan(KeyRange range) {
    requireNoLocks("scan");
    return new Scan(this, requireNonNull(range, "range"), false);
  }

  /**
   * Opens a scan of a range, from its last key to its first. It reads many rows in one call to the engine.
   *
   * @param range what to scan
   * @return the scan, which the caller <em>owns</em> and must close; it stands before the last row
   */
  public Scan scanBackward(KeyRange range) {
    requireNoLocks("scan");
    return new Scan(this, requireNonNull(range, "range"), true);
  }

  /**
   * Scans a range as a stream, which closes the scan behind its last row. A stream that may end earlier
   * (by {@code limit}, {@code findFirst} or an exception) belongs into a try-with-resources statement.
   *
   * @param <T> what a row is turned into
   * @param range what to scan
   * @param mapper turns a row into what the stream yields; the row is <em>borrowed until</em> it returns
   * @return a sequential, ordered stream
   */
  public <T> Stream<T> stream(KeyRange range, Function<? super Row, ? extends T> mapper) {
    requireNonNull(mapper, "mapper");
    return scan(range).stream(mapper);
  }

  /**
   * The same keys and values as objects of a type.
   *
   * @param keys makes keys of objects, and back
   * @param values makes values of objects, and back
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @return a view, which needs no closing
   */
  public <K, V> TypedReader<K, V> typed(KeyCodec<K> keys, ValueCodec<V> values) {
    return new TypedReader<>(this, keys, values, null);
  }

  /**
   * Reads the same keys on other threads.
   *
   * @param executor whose threads wait for the disk; of platform threads as many as the disk can use at once, or
   *     virtual ones
   * @param limit how many reads may wait for their answer
   * @return a reader that needs no closing
   */
  public AsyncReader async(Executor executor, int limit) {
    return new AsyncReader(this, executor, limit);
  }

  /**
   * Starts a request for many keys at once.
   *
   * @return an empty request, which can be filled and run again and again
   */
  public MultiGet multiGet() {
    return new MultiGet(this);
  }

  /**
   * Reads many keys at once.
   *
   * @param keys in any order; borrowed
   * @return their values in the same order, null where there is no such key
   */
  public List<byte[]> multiGet(List<byte[]> keys) {
    byte[][] copied = requireNonNull(keys, "keys").toArray(byte[][]::new);
    for (byte[] key : copied) {
      requireNonNull(key, "key");
    }
    return Arrays.asList(source.copy(enter(), copied));
  }

  @Override
  public String toString() {
    return source.family().handle() + (overlay == null ? "" : " in " + overlay);
  }
}
