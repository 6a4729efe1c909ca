/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.write.Operation;
import org.rocksdbffm.internal.write.WritePath;

/** Reads and writes the keys of one column family: immediately, in a transaction, or in an indexed batch. */
abstract sealed class WritableKeys extends KeyReader implements KeyWriter permits KeySpace, OverlayKeys {
  final WritePath path;

  WritableKeys(ReadPath source, ReadOptions readOptions, WritePath path) {
    super(source, readOptions, null);
    this.path = path;
  }

  @Override
  public <K, V> TypedKeys<K, V> typed(KeyCodec<K> keys, ValueCodec<V> values) {
    return new TypedKeys<>(this, keys, new TypedReader.EncodedValues<>(values, null));
  }

  @Override
  public <K, V extends Record> TypedKeys<K, V> typed(KeyCodec<K> keys, EntityCodec<V> values) {
    return new TypedKeys<>(this, keys, new EntityReader.RecordValues<>(values));
  }

  private Call toWrite(byte[] key) {
    return path.enter().withKey(key);
  }

  private Call toWrite(MemorySegment key) {
    return path.enter().withKey(key);
  }

  @Override
  public void put(byte[] key, byte[] value) {
    requireNonNull(value, "value");
    path.change(toWrite(requireNonNull(key, "key")), Operation.PUT, value);
  }

  @Override
  public void put(MemorySegment key, MemorySegment value) {
    requireNonNull(value, "value");
    path.change(toWrite(requireNonNull(key, "key")), Operation.PUT, value);
  }

  @Override
  public void putEntity(byte[] key, Columns columns) {
    path.putEntity(MemorySegment.ofArray(requireNonNull(key, "key")), requireNonNull(columns, "columns").sorted);
  }

  @Override
  public void putEntity(MemorySegment key, Columns columns) {
    path.putEntity(requireNonNull(key, "key"), requireNonNull(columns, "columns").sorted);
  }

  @Override
  public void merge(byte[] key, byte[] operand) {
    requireNonNull(operand, "operand");
    path.change(toWrite(requireNonNull(key, "key")), Operation.MERGE, operand);
  }

  @Override
  public void merge(MemorySegment key, MemorySegment operand) {
    requireNonNull(operand, "operand");
    path.change(toWrite(requireNonNull(key, "key")), Operation.MERGE, operand);
  }

  @Override
  public void delete(byte[] key) {
    path.change(toWrite(requireNonNull(key, "key")), Operation.DELETE);
  }

  @Override
  public void delete(MemorySegment key) {
    path.change(toWrite(requireNonNull(key, "key")), Operation.DELETE);
  }

  @Override
  public void singleDelete(byte[] key) {
    path.change(toWrite(requireNonNull(key, "key")), Operation.SINGLE_DELETE);
  }

  @Override
  public void singleDelete(MemorySegment key) {
    path.change(toWrite(requireNonNull(key, "key")), Operation.SINGLE_DELETE);
  }

  @Override
  public void deleteRange(byte[] from, byte[] until) {
    requireNonNull(until, "until");
    path.change(toWrite(requireNonNull(from, "from")), Operation.DELETE_RANGE, until);
  }

  @Override
  public void deleteRange(MemorySegment from, MemorySegment until) {
    requireNonNull(until, "until");
    path.change(toWrite(requireNonNull(from, "from")), Operation.DELETE_RANGE, until);
  }
}
