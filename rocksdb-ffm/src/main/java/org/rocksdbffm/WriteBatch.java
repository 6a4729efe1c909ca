/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.rocksdbffm.internal.call.ExclusiveUse;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.write.BatchBytes;
import org.rocksdbffm.internal.write.SerializedBatch;
import org.rocksdbffm.internal.write.WritePath;

/**
 * Writes that take effect together or not at all. They are collected in Java memory and cross to the engine
 * in one call; so a batch needs no closing, and can be cleared and used again. One thread at a time.
 *
 * <p>The batch itself writes to the default column family; {@link #in} gives a writer for another.
 *
 * <pre>{@code
 * WriteBatch batch = new WriteBatch();
 * batch.put(key, value);
 * batch.in(users).delete(user);
 * db.write(batch);
 * }</pre>
 */
public final class WriteBatch extends BatchWriter {
  private static final int FIRST_CAPACITY = 1 << 10;

  private record SavePoint(int size, int count) {}

  private final Deque<SavePoint> savePoints = new ArrayDeque<>();

  // The database whose column families the batch names; null while it names none.
  private Database database;

  /** Makes an empty batch. */
  public WriteBatch() {
    this(ByteSize.bytes(FIRST_CAPACITY));
  }

  /**
   * Makes an empty batch with room for what is expected; it grows as needed.
   *
   * @param capacity less than 2 GiB
   */
  public WriteBatch(ByteSize capacity) {
    this(new BatchBytes(checked(capacity)));
  }

  private WriteBatch(BatchBytes bytes) {
    super(bytes, new ExclusiveUse("the batch"), 0, false);
  }

  private static int checked(ByteSize capacity) {
    if (requireNonNull(capacity, "capacity").bytes() > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException("capacity: " + capacity + ", but a batch has less than 2 GiB");
    }
    return (int) capacity.bytes();
  }

  /**
   * A writer that adds to this batch for a column family.
   *
   * @param columnFamily of the database that the batch will be written to
   * @return the writer, which stays usable when the batch is cleared
   */
  public KeyWriter in(ColumnFamily columnFamily) {
    return in("columnFamily", requireNonNull(columnFamily, "columnFamily").nativeFamily());
  }

  /**
   * A writer that adds to this batch for typed keys: of one database, and of as many column families as wanted.
   *
   * @param keys of the database that the batch will be written to
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @return the writer, which stays usable when the batch is cleared
   */
  public <K, V> TypedWriter<K, V> in(TypedKeys<K, V> keys) {
    return keys.of(in("keys", requireNonNull(keys, "keys").keys().source.family()));
  }

  private KeyWriter in(String parameter, NativeFamily family) {
    Database its = family.database();
    if (database != null && database != its) {
      throw new IllegalArgumentException(
          parameter + ": " + family.handle().name() + ", but the batch already has others of " + database.handle());
    }
    database = its;
    return new BatchWriter(bytes, turn, family.id(), family.rules().isOrderedByBytes());
  }

  /**
   * Makes a batch of the engine's own form: that of {@link #toBytes}, of another RocksDB, or of a log. Texts for the log
   * are left out. Bytes that are no batch, or have records that this library does not write, are refused.
   *
   * <p>An empty range among the records counts here, but it is not written, and gets no sequence number: the engine would
   * give it one, and give that to another write after its next recovery. So a database that gets such a batch of another
   * program has from there on other numbers than the database that the batch comes from.
   *
   * @param bytes copied, whatever kind of memory they are in
   * @return a batch that names column families by number, whatever database these are of
   */
  public static WriteBatch from(MemorySegment bytes) {
    return new WriteBatch(SerializedBatch.read(requireNonNull(bytes, "bytes")));
  }

  /**
   * The operations in the engine's own form, which names column families by number.
   *
   * @return a new array
   */
  public byte[] toBytes() {
    return turn.call(bytes::toArray);
  }

  /** Writes the batch; a batch that names column families goes to their database only. */
  void writeTo(WritePath path, Database target) {
    if (database != null && database != target) {
      throw new IllegalArgumentException(
          "batch: it names column families of " + database.handle() + ", not of " + target.handle());
    }
    turn.begin();
    try {
      path.write(bytes);
    } finally {
      turn.end();
    }
  }

  /**
   * How many operations the batch has.
   *
   * @return the count
   */
  public int count() {
    return bytes.count();
  }

  /**
   * How much memory the operations take, in the engine's own form.
   *
   * @return the size
   */
  public ByteSize size() {
    return ByteSize.bytes(bytes.size());
  }

  /** Removes all operations and save points; the memory is kept for what comes. */
  public void clear() {
    turn.run(() -> {
      bytes.clear();
      savePoints.clear();
    });
  }

  /** Marks a point that {@link #rollbackToSavePoint} returns to. Save points nest. */
  public void setSavePoint() {
    turn.run(() -> savePoints.push(new SavePoint(bytes.size(), bytes.count())));
  }

  /** Removes the operations since the last save point, and the save point. */
  public void rollbackToSavePoint() {
    turn.run(() -> {
      SavePoint last = lastSavePoint();
      bytes.truncate(last.size, last.count);
    });
  }

  /** Removes the last save point, and keeps the operations. */
  public void popSavePoint() {
    turn.run(this::lastSavePoint);
  }

  private SavePoint lastSavePoint() {
    if (savePoints.isEmpty()) {
      throw new IllegalStateException("the batch has no save point: call setSavePoint first");
    }
    return savePoints.pop();
  }

  /**
   * Shows all operations in the order in which they were added. The visitor may change the batch: it sees it
   * as it was at the call.
   *
   * @param visitor called for each operation
   */
  public void forEach(Visitor visitor) {
    requireNonNull(visitor, "visitor");
    BatchBytes copy = turn.call(bytes::copy);
    copy.forEach(
        (kind, family, first, second) -> visitor.visit(Operation.valueOf(kind.name()), family, first, second));
  }

  /** A kind of write. */
  public enum Operation {
    /** Of a key and its value. */
    PUT,
    /** Of a key and an operand. */
    MERGE,
    /** Of a key. */
    DELETE,
    /** Of a key that was put once. */
    SINGLE_DELETE,
    /** Of all keys from one to another, which stays. */
    DELETE_RANGE
  }

  /** Is shown the operations of a batch. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * One operation. The segments are read-only and may be kept.
     *
     * @param operation its kind
     * @param columnFamily the number of the column family
     * @param key the key, or the first one of a range
     * @param value the value, the operand, or the end of a range; null where a key is deleted
     */
    void visit(Operation operation, int columnFamily, MemorySegment key, MemorySegment value);
  }

  @Override
  public String toString() {
    return "batch of " + count() + " writes, " + size();
  }
}
