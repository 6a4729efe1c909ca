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
import org.rocksdbffm.internal.write.DatabaseWrites;
import org.rocksdbffm.internal.write.SerializedBatch;

/**
 * Writes that take effect atomically. They are collected in Java memory and passed to the engine in one call, so a
 * batch needs no closing, and can be cleared and reused. Used by one thread at a time.
 *
 * <p>The batch itself writes to the default column family; {@link #in} returns a writer for another.
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

  // The database whose column families the batch uses; null if it uses none.
  private Database database;

  /** Creates an empty batch. */
  public WriteBatch() {
    this(ByteSize.bytes(FIRST_CAPACITY));
  }

  /**
   * Creates an empty batch with an initial capacity; it grows as needed.
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
   * Returns a writer that adds operations on a column family to this batch.
   *
   * @param columnFamily of the database that the batch will be written to
   * @return the writer, which stays usable after the batch is cleared
   * @throws IllegalArgumentException if the batch uses column families of another database
   */
  public KeyWriter in(ColumnFamily columnFamily) {
    return in("columnFamily", requireNonNull(columnFamily, "columnFamily").nativeFamily());
  }

  /**
   * Returns a writer that adds operations on typed keys to this batch, which may have keys of several column families
   * of one database.
   *
   * @param keys of the database that the batch will be written to
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @return the writer, which stays usable after the batch is cleared
   * @throws IllegalArgumentException if the batch uses column families of another database
   */
  public <K, V> TypedWriter<K, V> in(TypedKeys<K, V> keys) {
    return keys.of(in("keys", requireNonNull(keys, "keys").keys().source.family()));
  }

  private KeyWriter in(String parameter, NativeFamily family) {
    Database target = family.database();
    if (database != null && database != target) {
      throw new IllegalArgumentException(
          parameter + ": " + family.handle().name() + ", but the batch already has others of " + database.handle());
    }
    database = target;
    return new BatchWriter(bytes, turn, family.id(), family.rules().isOrderedByBytes());
  }

  /**
   * Parses a batch in RocksDB's serialized form: from {@link #toBytes}, another RocksDB, or a WAL. Drops log data.
   * Refuses malformed bytes, and records that this library does not write.
   *
   * <p>An empty range deletion in the batch is counted, but not written, and gets no sequence number: RocksDB would
   * give it one, and use that number again for another write after its next recovery. So after such a batch of another
   * program, the sequence numbers of this database differ from the source's.
   *
   * @param bytes copied; memory of any kind
   * @return a batch that refers to column families by id, of whatever database
   * @throws IllegalArgumentException if the bytes are malformed, or have records that this library does not write
   */
  public static WriteBatch from(MemorySegment bytes) {
    return new WriteBatch(SerializedBatch.read(requireNonNull(bytes, "bytes")));
  }

  /**
   * Returns the batch in RocksDB's serialized form, which refers to column families by id.
   *
   * @return a new array
   */
  public byte[] toBytes() {
    return turn.call(bytes::toArray);
  }

  /** Writes the batch; if it uses column families, only to their database. */
  void writeTo(DatabaseWrites path, Database target) {
    requireFor(target);
    turn.begin();
    try {
      path.write(bytes);
    } finally {
      turn.end();
    }
  }

  /**
   * Returns a copy of the operations; throws if the batch uses column families of a database other than {@code target}.
   */
  BatchBytes copyFor(Database target) {
    requireFor(target);
    return turn.call(bytes::copy);
  }

  private void requireFor(Database target) {
    if (database != null && database != target) {
      throw new IllegalArgumentException(
          "batch: it names column families of " + database.handle() + ", not of " + target.handle());
    }
  }

  /**
   * Returns the number of operations in the batch.
   *
   * @return the count
   */
  public int count() {
    return bytes.count();
  }

  /**
   * Returns the size of the serialized batch.
   *
   * @return the size
   */
  public ByteSize size() {
    return ByteSize.bytes(bytes.size());
  }

  /** Removes all operations and save points, and keeps the memory for later ones. */
  public void clear() {
    turn.run(() -> {
      bytes.clear();
      savePoints.clear();
    });
  }

  /** Sets a save point for {@link #rollbackToSavePoint}. Save points nest. */
  public void setSavePoint() {
    turn.run(() -> savePoints.push(new SavePoint(bytes.size(), bytes.count())));
  }

  /**
   * Removes the operations since the last save point, and the save point.
   *
   * @throws IllegalStateException if there is no save point
   */
  public void rollbackToSavePoint() {
    turn.run(() -> {
      SavePoint last = lastSavePoint();
      bytes.truncate(last.size, last.count);
    });
  }

  /**
   * Removes the last save point, and keeps the operations.
   *
   * @throws IllegalStateException if there is no save point
   */
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
   * Visits all operations in the order in which they were added. The visitor may change the batch; it visits the state
   * at the call.
   *
   * @param visitor called for each operation
   */
  public void forEach(Visitor visitor) {
    requireNonNull(visitor, "visitor");
    BatchBytes copy = turn.call(bytes::copy);
    copy.forEach(
        (kind, family, first, second) -> visitor.visit(Operation.valueOf(kind.name()), family, first, second));
  }

  /** The kinds of operations. */
  public enum Operation {
    /** Stores a value under a key. */
    PUT,
    /** Merges an operand into a key's value. */
    MERGE,
    /** Deletes a key. */
    DELETE,
    /** Deletes a key that was put once. */
    SINGLE_DELETE,
    /** Deletes all keys from one key up to, but not including, another. */
    DELETE_RANGE,
    /** Stores an entity under a key; the value is its serialized form. */
    PUT_ENTITY
  }

  /** Receives the operations of a batch. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Receives an operation. The segments are read-only and may be kept.
     *
     * @param operation the kind of operation
     * @param columnFamily the id of the column family
     * @param key the key, or the start of a range
     * @param value the value, the operand, or the end of a range; null for the deletion of a key
     */
    void visit(Operation operation, int columnFamily, MemorySegment key, MemorySegment value);
  }

  @Override
  public String toString() {
    return "batch of " + count() + " writes, " + size();
  }
}
