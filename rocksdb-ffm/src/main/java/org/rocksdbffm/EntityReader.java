/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.EntityCalls;
import org.rocksdbffm.internal.read.EntityRead;
import org.rocksdbffm.internal.read.ReadPath;

/**
 * Reads the keys of a {@link KeyReader} as entities: of a database, at a snapshot, or with the writes of a transaction
 * or an indexed batch. Thread-safe if that reader is.
 *
 * <p>Needs the C++ stubs, which exist only on Linux: elsewhere {@link KeyReader#entities} throws a {@code LinkageError}
 * that says so.
 */
public final class EntityReader {
  private final KeyReader keys;
  private final byte[][] only; // null for all columns

  EntityReader(KeyReader keys, byte[][] only) {
    EntityCalls.open();
    this.keys = keys;
    this.only = only;
  }

  /**
   * Returns a reader of some columns. The engine reads whole entities nevertheless, so a projection saves no I/O.
   *
   * @param names the names, in the order that the entities are to have; empty for the default column
   * @return a reader that needs no closing
   * @throws IllegalArgumentException if a name has half of a surrogate pair
   */
  public EntityReader only(String... names) {
    return new EntityReader(keys, Stream.of(requireNonNull(names, "names")).map(Columns::utf8).toArray(byte[][]::new));
  }

  /**
   * Pins the columns of a key.
   *
   * @param key borrowed
   * @return the entity, which the caller <em>owns</em> and must close; or null if the key is missing
   * @throws PinLimitException if the limit of pinned bytes, or the memory budget, is exhausted
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public Entity get(byte[] key) {
    requireNonNull(key, "key");
    return read(keys.source.enter().withKey(key));
  }

  /**
   * Pins the columns of a key.
   *
   * @param key borrowed
   * @return the entity, which the caller <em>owns</em> and must close; or null if the key is missing
   * @throws PinLimitException if the limit of pinned bytes, or the memory budget, is exhausted
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public Entity get(MemorySegment key) {
    requireNonNull(key, "key");
    return read(keys.source.enter().withKey(key));
  }

  /**
   * Passes the columns of a key to a function.
   *
   * @param <T> the type of the result
   * @param key borrowed
   * @param look receives the entity, <em>borrowed until</em> it returns
   * @return the function's result, or null, without a call, if the key is missing
   * @throws PinLimitException if the limit of pinned bytes, or the memory budget, is exhausted
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public <T> T get(byte[] key, Function<? super Entity, ? extends T> look) {
    requireNonNull(look, "look");
    try (Entity entity = get(key)) {
      return entity == null ? null : look.apply(entity);
    }
  }

  /**
   * Pins the columns of many keys, which are read together; by a reader that locks keys, one after another.
   *
   * @param keys borrowed
   * @return the entities in the order of the keys, which the caller <em>owns</em> and must close; null for missing keys
   * @throws PinLimitException if the limit of pinned bytes, or the memory budget, is exhausted
   * @throws RocksDbException if the engine fails; no key is pinned then
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public List<Entity> multiGet(List<byte[]> keys) {
    List<byte[]> all = new ArrayList<>(requireNonNull(keys, "keys"));
    all.forEach(key -> requireNonNull(key, "keys: a key is null"));
    List<Entity> entities = new ArrayList<>(all.size());
    ReadPath path = this.keys.source;
    try {
      if (EntityRead.isTogether(path)) {
        EntityRead.pinAll(path, path.enter(), all).forEach(columns -> entities.add(Entity.of(columns, only)));
      } else {
        all.forEach(key -> entities.add(get(key)));
      }
      return entities;
    } catch (Throwable e) {
      entities.stream().filter(entity -> entity != null).forEach(Entity::close);
      throw e;
    }
  }

  /**
   * Runs an action for the entities of a range, in the order of the keys.
   *
   * @param range the range to scan
   * @param action receives a key and its entity, <em>borrowed until</em> it returns
   * @throws UnsupportedOperationException if this reader locks keys ({@link TransactionKeys#forUpdate})
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the database, column family or snapshot is closed
   */
  public void forEach(KeyRange range, BiConsumer<? super MemorySegment, ? super Entity> action) {
    requireNonNull(action, "action");
    try (Cursor cursor = keys.cursor(range)) {
      for (boolean found = cursor.first(); found; found = cursor.next()) {
        action.accept(cursor.key(), Entity.ofRow(cursor.rows.columns(), only));
      }
    }
  }

  private Entity read(Call call) {
    return Entity.of(EntityRead.pin(keys.source, call), only);
  }

  @Override
  public String toString() {
    return "entities of " + keys;
  }

  /** Values in the columns of entities, read by a cursor in streams: a block of a scan has no columns. */
  record RecordValues<V extends Record>(EntityCodec<V> codec) implements TypedReader.Values<V> {
    RecordValues {
      requireNonNull(codec, "values");
    }

    private V decode(KeyReader reader, Entity entity) {
      return TypedReader.Values.decoded("value", reader, () -> codec.decode(entity));
    }

    @Override
    public V get(KeyReader reader, byte[] key) {
      return reader.entities().get(key, entity -> decode(reader, entity));
    }

    @Override
    public List<V> multiGet(KeyReader reader, List<byte[]> keys) {
      List<Entity> entities = reader.entities().multiGet(keys);
      try {
        List<V> decoded = new ArrayList<>(entities.size());
        entities.forEach(entity -> decoded.add(entity == null ? null : decode(reader, entity)));
        return decoded;
      } finally {
        entities.stream().filter(entity -> entity != null).forEach(Entity::close);
      }
    }

    @Override
    public boolean contains(KeyReader reader, byte[] key) {
      return reader.contains(key);
    }

    @Override
    public <K> Stream<TypedReader.Entry<K, V>> stream(
        KeyReader reader, KeyCodec<K> keys, KeyRange range, boolean backward) {
      Cursor cursor = reader.cursor(range);
      Spliterator<TypedReader.Entry<K, V>> rows =
          new AbstractSpliterator<>(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL) {
            private boolean isStarted;
            private boolean isEnded;

            @Override
            public boolean tryAdvance(Consumer<? super TypedReader.Entry<K, V>> action) {
              if (isEnded || !move()) {
                isEnded = true;
                cursor.close();
                return false;
              }
              K key = TypedReader.Values.decoded("key", reader, () -> keys.decode(cursor.key()));
              action.accept(new TypedReader.Entry<>(key, decode(reader, cursor.entity())));
              return true;
            }

            private boolean move() {
              boolean isFirst = !isStarted;
              isStarted = true;
              return backward
                  ? isFirst ? cursor.last() : cursor.previous()
                  : isFirst ? cursor.first() : cursor.next();
            }

            @Override
            public Spliterator<TypedReader.Entry<K, V>> trySplit() {
              return null; // the rows come from one cursor
            }
          };
      return StreamSupport.stream(rows, false).onClose(cursor::close);
    }

    @Override
    public void put(KeyWriter writer, byte[] key, V value) {
      writer.putEntity(key, codec.encode(value));
    }

    @Override
    public void merge(KeyWriter writer, byte[] key, V operand) {
      throw new UnsupportedOperationException(
          "merge: an operand changes the default column of an entity; merge it by KeyWriter.merge");
    }

    @Override
    public TypedReader.Values<V> hiding(Expiry expiry) {
      requireNonNull(expiry, "expiry");
      throw new UnsupportedOperationException("hiding: compactions keep entities, whatever their age");
    }

    @Override
    public TypedReader.Values<V> expiring(Duration age) {
      requireNonNull(age, "age");
      throw new UnsupportedOperationException("expiring: compactions keep entities, whatever their age");
    }
  }
}
