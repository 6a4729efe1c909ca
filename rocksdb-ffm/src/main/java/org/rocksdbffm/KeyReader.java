/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeSnapshot;
import org.rocksdbffm.internal.db.ReadPoint;
import org.rocksdbffm.internal.foreign.EntityCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.read.EntityRead;
import org.rocksdbffm.internal.read.MultiRead;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.scan.RangePrefetch;

/**
 * Reads the keys of one column family, with fixed read options. Thread-safe.
 *
 * <p>A key is a {@code byte[]} or a {@link MemorySegment} of any kind; pass a {@code ByteBuffer} as
 * {@link MemorySegment#ofBuffer MemorySegment.ofBuffer(buffer)}. It is borrowed until the method returns.
 *
 * <p>Every method throws {@link IllegalStateException} if the database, column family or snapshot is closed, and
 * {@link RocksDbException} if the engine fails.
 */
public sealed class KeyReader permits WritableKeys, Snapshot, TransactionReader {
  /** Returned by {@code getInto} if the key is missing. */
  public static final long ABSENT = ReadPath.ABSENT;

  final ReadPath source;
  final ReadOptions readOptions;
  final NativeSnapshot snapshot; // null: reads the latest state

  KeyReader(ReadPath source, ReadOptions readOptions, NativeSnapshot snapshot) {
    this.source = source;
    this.readOptions = readOptions;
    this.snapshot = snapshot;
  }

  private Call enter(byte[] key) {
    return source.enter().withKey(key);
  }

  private Call enter(MemorySegment key) {
    return source.enter().withKey(key);
  }

  /** Enters a call without a key. */
  final Call enter() {
    return source.enter();
  }

  /** Returns the snapshot of scans and cursors; null for the latest state. */
  ReadPoint point() {
    return snapshot;
  }

  /** Throws if the engine cannot read ranges as this reader reads keys. */
  void requireRanges(String what) {}

  /** Returns the source of an argument, which must be of the database. */
  final ReadPath sourceOf(Database database, String parameter) {
    if (source.database() != database) {
      throw new IllegalArgumentException(parameter + ": " + this + " is not of " + database.handle());
    }
    return source;
  }

  ReadPath sourceWith(ReadOptions options) {
    return source.with(options.toNative(snapshot), snapshot);
  }

  /**
   * Returns a reader of the same keys with other options.
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
   * @return the value, or null if the key is missing
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public byte[] get(byte[] key) {
    return source.bytes(enter(requireNonNull(key, "key")));
  }

  /**
   * Reads a value into a new array.
   *
   * @param key borrowed
   * @return the value, or null if the key is missing
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public byte[] get(MemorySegment key) {
    return source.bytes(enter(requireNonNull(key, "key")));
  }

  /**
   * Copies a value to the start of an array, if it fits.
   *
   * @param key borrowed
   * @param target filled from its start
   * @return the value's size, or {@link #ABSENT}; if it exceeds {@code target.length}, nothing was copied
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public long getInto(byte[] key, byte[] target) {
    requireNonNull(target, "target");
    return source.into(enter(requireNonNull(key, "key")), target, 0, target.length);
  }

  /**
   * Copies a value to the start of a segment of any kind, if it fits.
   *
   * @param key borrowed
   * @param target filled from its start
   * @return the value's size, or {@link #ABSENT}; if it exceeds {@code target.byteSize()}, nothing was copied
   * @throws IllegalArgumentException if the target is read-only
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public long getInto(MemorySegment key, MemorySegment target) {
    ReadPath.requireAlive(requireNonNull(target, "target"));
    return source.into(enter(requireNonNull(key, "key")), target);
  }

  /**
   * Copies the value if it fits, otherwise pins it, in one engine call. For callers that copy small values and pin
   * large ones.
   *
   * @param key borrowed
   * @param target a segment of any kind, filled from its start; as large as the largest value worth copying
   * @param otherwise receives a value that does not fit, which it <em>owns</em> and must close; called before this
   *     method returns
   * @return the value's size, or {@link #ABSENT}; if it exceeds {@code target.byteSize()}, nothing was copied, and
   *     {@code otherwise} received the value
   * @throws IllegalArgumentException if the target is read-only
   * @throws PinLimitException if the limit of pinned bytes, or the memory budget, is exhausted
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public long getInto(MemorySegment key, MemorySegment target, Consumer<? super PinnedValue> otherwise) {
    ReadPath.requireAlive(requireNonNull(target, "target"));
    requireNonNull(otherwise, "otherwise");
    return PinnedValue.readInto(source, enter(requireNonNull(key, "key")), target, otherwise);
  }

  /**
   * Pins a value in the engine's memory, without a copy.
   *
   * @param key borrowed
   * @return the value, which the caller <em>owns</em> and must close; or null if the key is missing
   * @throws PinLimitException if the limit of pinned bytes, or the memory budget, is exhausted
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public PinnedValue getPinned(byte[] key) {
    return PinnedValue.read(source, enter(requireNonNull(key, "key")));
  }

  /**
   * Pins a value in the engine's memory, without a copy.
   *
   * @param key borrowed
   * @return the value, which the caller <em>owns</em> and must close; or null if the key is missing
   * @throws PinLimitException if the limit of pinned bytes, or the memory budget, is exhausted
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public PinnedValue getPinned(MemorySegment key) {
    return PinnedValue.read(source, enter(requireNonNull(key, "key")));
  }

  /**
   * Reads a value into memory with the lifetime of an arena: a small value is copied, a large one pinned. A pinned
   * value is released when the arena is closed or collected, and the engine keeps the database open until then; see
   * {@link RocksDb#close}.
   *
   * @param key borrowed
   * @param arena of any kind; the global arena would pin forever
   * @return the read-only value, or null if the key is missing
   * @throws PinLimitException if the limit of pinned bytes, or the memory budget, is exhausted
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public MemorySegment get(byte[] key, Arena arena) {
    requireNonNull(arena, "arena");
    return source.inArena(enter(requireNonNull(key, "key")), arena);
  }

  /**
   * Reads a value into memory with the lifetime of an arena; see {@link #get(byte[], Arena)}.
   *
   * @param key borrowed
   * @param arena of any kind; the global arena would pin forever
   * @return the read-only value, or null if the key is missing
   * @throws PinLimitException if the limit of pinned bytes, or the memory budget, is exhausted
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public MemorySegment get(MemorySegment key, Arena arena) {
    requireNonNull(arena, "arena");
    return source.inArena(enter(requireNonNull(key, "key")), arena);
  }

  /**
   * Passes a value to a function without a copy, and without creating an object.
   *
   * @param <T> the type of the result
   * @param key borrowed
   * @param look receives the value, read-only, <em>borrowed until</em> it returns and confined to this thread
   * @return the function's result, or null, without a call, if the key is missing
   * @throws PinLimitException if the limit of pinned bytes, or the memory budget, is exhausted
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public <T> T get(byte[] key, Function<? super MemorySegment, ? extends T> look) {
    requireNonNull(look, "look");
    return look(enter(requireNonNull(key, "key")), look);
  }

  /**
   * Passes a value to a function without a copy; see {@link #get(byte[], Function)}.
   *
   * @param <T> the type of the result
   * @param key borrowed
   * @param look receives the value, read-only, <em>borrowed until</em> it returns and confined to this thread
   * @return the function's result, or null, without a call, if the key is missing
   * @throws PinLimitException if the limit of pinned bytes, or the memory budget, is exhausted
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
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
   * Returns whether a key has a value. Unlike {@link #mayExist(byte[])}, this reads the value, but does not copy it.
   *
   * @param key borrowed
   * @return true if the key exists
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public boolean contains(byte[] key) {
    return source.contains(enter(requireNonNull(key, "key")));
  }

  /**
   * Returns whether a key has a value. Unlike {@link #mayExist(MemorySegment)}, this reads the value, but does not copy
   * it.
   *
   * @param key borrowed
   * @return true if the key exists
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public boolean contains(MemorySegment key) {
    return source.contains(enter(requireNonNull(key, "key")));
  }

  /**
   * Checks memtables, filters and cached blocks for a key, without reading files.
   *
   * @param key borrowed
   * @return false if the key is certainly missing; true if it may exist
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public boolean mayExist(byte[] key) {
    return source.mayExist(enter(requireNonNull(key, "key")));
  }

  /**
   * Checks memtables, filters and cached blocks for a key, without reading files.
   *
   * @param key borrowed
   * @return false if the key is certainly missing; true if it may exist
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public boolean mayExist(MemorySegment key) {
    return source.mayExist(enter(requireNonNull(key, "key")));
  }

  /**
   * Returns a reader of entities.
   *
   * @return a reader of the same keys with the same options, which needs no closing
   */
  public EntityReader entities() {
    return new EntityReader(this, null);
  }

  /**
   * Returns the base value of a key and the merge operands that were not applied yet, oldest first. A base value that
   * is an entity is given as its default column. How many operands are left depends on flushes and compactions.
   *
   * @param key borrowed
   * @return copies; empty if the key is missing
   * @throws UnsupportedOperationException if this reads a transaction or an indexed batch
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public List<byte[]> mergeOperands(byte[] key) {
    requireNonNull(key, "key");
    if (!source.isThreadSafe()) {
      throw new UnsupportedOperationException(
          "mergeOperands: the engine lists no operands of a transaction or an indexed batch; read the database itself");
    }
    EntityCalls.open();
    return EntityRead.operands(source, enter(key));
  }

  /**
   * Opens a cursor over all keys, which reads the current state of the database.
   *
   * @return the cursor, which the caller <em>owns</em> and must close; it has no current row yet
   * @throws UnsupportedOperationException if this reader locks keys ({@link TransactionKeys#forUpdate})
   * @throws PinLimitException if the limit of pinned bytes, or the memory budget, is exhausted
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public Cursor cursor() {
    return cursor(KeyRange.all());
  }

  /**
   * Opens a cursor over a range of keys, which reads the current state of the database.
   *
   * @param range the range to which the cursor is limited
   * @return the cursor, which the caller <em>owns</em> and must close; it has no current row yet
   * @throws UnsupportedOperationException if this reader locks keys ({@link TransactionKeys#forUpdate})
   * @throws PinLimitException if the limit of pinned bytes, or the memory budget, is exhausted
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public Cursor cursor(KeyRange range) {
    requireRanges("cursor");
    return new Cursor(this, requireNonNull(range, "range"));
  }

  /**
   * Opens a scan of a range, from its first key to its last. Reads many rows in one engine call.
   *
   * @param range the range to scan
   * @return the scan, which the caller <em>owns</em> and must close; it is positioned before the first row
   * @throws UnsupportedOperationException if this reader locks keys ({@link TransactionKeys#forUpdate})
   * @throws PinLimitException if the limit of pinned bytes, or the memory budget, is exhausted
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public Scan scan(KeyRange range) {
    requireRanges("scan");
    return new Scan(this, requireNonNull(range, "range"), false);
  }

  /**
   * Opens a scan of a range, from its last key to its first. Reads many rows in one engine call.
   *
   * @param range the range to scan
   * @return the scan, which the caller <em>owns</em> and must close; it is positioned before the last row
   * @throws UnsupportedOperationException if this reader locks keys ({@link TransactionKeys#forUpdate})
   * @throws PinLimitException if the limit of pinned bytes, or the memory budget, is exhausted
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public Scan scanBackward(KeyRange range) {
    requireRanges("scan");
    return new Scan(this, requireNonNull(range, "range"), true);
  }

  /**
   * Scans many ranges, one after another. Before, the blocks of all ranges are read from the disk together, which is
   * faster than separate scans if the ranges are not cached; if they are cached, it costs one more seek for each range.
   * This needs ranges with both ends, a family ordered by bytes, and a block cache, of which it uses up to a fourth; in
   * transactions and indexed batches, and on macOS, each range is read separately. Each range is scanned as of its
   * start: read at a {@link Snapshot} to see all of them at one point in time.
   *
   * @param ranges the ranges to scan
   * @param receiver called for each row, which is <em>borrowed until</em> it returns; its exceptions end the scan
   * @throws UnsupportedOperationException if this reader locks keys ({@link TransactionKeys#forUpdate})
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public void scan(List<KeyRange> ranges, Consumer<? super Row> receiver) {
    requireRanges("scan");
    requireNonNull(receiver, "receiver");
    requireNonNull(ranges, "ranges");
    source.enter().exit();
    List<RangePrefetch.Ends> closed = new ArrayList<>();
    for (KeyRange range : ranges) {
      KeyRange bounds = requireNonNull(range, "ranges: a range is null").in(source.family().rules());
      if (bounds.lower() != null && bounds.upper() != null) {
        closed.add(new RangePrefetch.Ends(bounds.lower(), bounds.upper()));
      }
    }
    RangePrefetch.read(source, readOptions.settings, point(), closed);
    for (KeyRange range : ranges) {
      scan(range).forEach(receiver);
    }
  }

  /**
   * Counts the rows of a range, by reading their keys and values once. {@link FamilyMetrics} estimates without reading.
   *
   * @param range the keys
   * @return the number of rows
   * @throws RocksDbException if reading fails
   */
  public long count(KeyRange range) {
    long rows = 0;
    try (Scan scan = scan(range)) {
      while (scan.next()) {
        rows++;
      }
    }
    return rows;
  }

  /**
   * Scans a range as a stream, which closes the scan after its last row. Use try-with-resources for a stream that may
   * end earlier (by {@code limit}, {@code findFirst} or an exception).
   *
   * <p>A {@linkplain Stream#parallel parallel} stream divides a large range by the engine's estimates of sizes, and
   * several threads scan the parts, all at one snapshot of the database: the current one if this reads at a snapshot,
   * otherwise a state of the time between this call and the stream's terminal operation. The mapper is then called by
   * several threads. In transactions and indexed batches one thread reads all rows.
   *
   * @param <T> the type of the stream's elements
   * @param range the range to scan
   * @param mapper converts a row, which is <em>borrowed until</em> it returns
   * @return a sequential, ordered stream
   */
  public <T> Stream<T> stream(KeyRange range, Function<? super Row, ? extends T> mapper) {
    requireNonNull(mapper, "mapper");
    return scan(range).stream(mapper, true);
  }

  /**
   * Returns a typed view of the keys and values.
   *
   * @param keys the codec of the keys
   * @param values the codec of the values
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @return a view, which needs no closing
   */
  public <K, V> TypedReader<K, V> typed(KeyCodec<K> keys, ValueCodec<V> values) {
    return new TypedReader<>(this, keys, new TypedReader.EncodedValues<>(values, null));
  }

  /**
   * Returns a typed view of the keys and of entities as records. Its streams are read by one thread, and it has no
   * {@code hiding} and {@code expiring}. Needs the C++ stubs, which exist on Linux only.
   *
   * @param keys the codec of the keys
   * @param values the codec of the records
   * @param <K> the type of the keys
   * @param <V> the record class
   * @return a view, which needs no closing
   */
  public <K, V extends Record> TypedReader<K, V> typed(KeyCodec<K> keys, EntityCodec<V> values) {
    return new TypedReader<>(this, keys, new EntityReader.RecordValues<>(values));
  }

  /**
   * Returns a reader of the same keys that reads on other threads.
   *
   * @param executor its threads wait for the disk; use as many platform threads as the disk serves in parallel, or
   *     virtual threads
   * @param limit the maximum number of pending reads
   * @return a reader that needs no closing
   * @throws IllegalArgumentException if the limit is less than one
   */
  public AsyncReader async(Executor executor, int limit) {
    return new AsyncReader(this, executor, limit);
  }

  /**
   * Starts a request for many keys.
   *
   * @return an empty request, which can be filled and run repeatedly
   */
  public MultiGet multiGet() {
    return new MultiGet(this);
  }

  /**
   * Reads many keys together.
   *
   * @param keys in any order; borrowed
   * @return the values in the order of the keys, with null for missing keys
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public List<byte[]> multiGet(List<byte[]> keys) {
    byte[][] copied = requireNonNull(keys, "keys").toArray(byte[][]::new);
    for (byte[] key : copied) {
      requireNonNull(key, "key");
    }
    return Arrays.asList(MultiRead.copy(source, enter(), copied));
  }

  @Override
  public String toString() {
    return source.toString();
  }
}
