/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;
import static org.rocksdbffm.internal.write.Operation.DELETE;
import static org.rocksdbffm.internal.write.Operation.DELETE_RANGE;
import static org.rocksdbffm.internal.write.Operation.MERGE;
import static org.rocksdbffm.internal.write.Operation.PUT;
import static org.rocksdbffm.internal.write.Operation.PUT_ENTITY;
import static org.rocksdbffm.internal.write.Operation.SINGLE_DELETE;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.call.ExclusiveUse;
import org.rocksdbffm.internal.write.BatchBytes;
import org.rocksdbffm.internal.write.Operation;

/** Adds writes of one column family to a batch. */
class BatchWriter implements KeyWriter {
  final BatchBytes bytes;
  final ExclusiveUse turn;
  private final int family;
  private final boolean isOrderedByBytes;

  /** Creates a writer that <em>shares</em> the batch's bytes and its exclusive access. */
  BatchWriter(BatchBytes bytes, ExclusiveUse turn, int family, boolean isOrderedByBytes) {
    this.bytes = bytes;
    this.turn = turn;
    this.family = family;
    this.isOrderedByBytes = isOrderedByBytes;
  }

  private void append(Operation operation, byte[] key) {
    turn.begin();
    try {
      bytes.append(operation, family, key);
    } finally {
      turn.end();
    }
  }

  private void append(Operation operation, byte[] first, byte[] second) {
    turn.begin();
    try {
      bytes.append(operation, family, first, second);
    } finally {
      turn.end();
    }
  }

  private void append(Operation operation, MemorySegment key) {
    turn.begin();
    try {
      bytes.append(operation, family, key);
    } finally {
      turn.end();
    }
  }

  private void append(Operation operation, MemorySegment first, MemorySegment second) {
    turn.begin();
    try {
      bytes.append(operation, family, first, second);
    } finally {
      turn.end();
    }
  }

  @Override
  public void put(byte[] key, byte[] value) {
    append(PUT, requireNonNull(key, "key"), requireNonNull(value, "value"));
  }

  @Override
  public void put(MemorySegment key, MemorySegment value) {
    append(PUT, requireNonNull(key, "key"), requireNonNull(value, "value"));
  }

  @Override
  public void putEntity(byte[] key, Columns columns) {
    append(PUT_ENTITY, requireNonNull(key, "key"), requireNonNull(columns, "columns").sorted.serialized());
  }

  @Override
  public void putEntity(MemorySegment key, Columns columns) {
    byte[] serialized = requireNonNull(columns, "columns").sorted.serialized();
    append(PUT_ENTITY, requireNonNull(key, "key"), MemorySegment.ofArray(serialized));
  }

  @Override
  public void merge(byte[] key, byte[] operand) {
    append(MERGE, requireNonNull(key, "key"), requireNonNull(operand, "operand"));
  }

  @Override
  public void merge(MemorySegment key, MemorySegment operand) {
    append(MERGE, requireNonNull(key, "key"), requireNonNull(operand, "operand"));
  }

  @Override
  public void delete(byte[] key) {
    append(DELETE, requireNonNull(key, "key"));
  }

  @Override
  public void delete(MemorySegment key) {
    append(DELETE, requireNonNull(key, "key"));
  }

  @Override
  public void singleDelete(byte[] key) {
    append(SINGLE_DELETE, requireNonNull(key, "key"));
  }

  @Override
  public void singleDelete(MemorySegment key) {
    append(SINGLE_DELETE, requireNonNull(key, "key"));
  }

  @Override
  public void deleteRange(KeyRange range) {
    requireNonNull(range, "range");
    KeyWriter.super.deleteRange(isOrderedByBytes ? range.halfOpen() : range);
  }

  @Override
  public void deleteRange(byte[] from, byte[] until) {
    append(DELETE_RANGE, requireNonNull(from, "from"), requireNonNull(until, "until"));
  }

  @Override
  public void deleteRange(MemorySegment from, MemorySegment until) {
    append(DELETE_RANGE, requireNonNull(from, "from"), requireNonNull(until, "until"));
  }

  @Override
  public String toString() {
    return "batch writer of the column family with id " + family;
  }
}
