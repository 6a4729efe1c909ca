/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.rocksdbffm.internal.c.RocksDbC;

/**
 * Where keys are written: one column family of a database under one set of write options. Thread-safe.
 *
 * <p>Every method that takes a {@link Call} takes one from {@link #enter} with its key copied, and
 * leaves it.
 */
public final class Sink {
  /** Key and value together stay below what the engine can count in 32 bits. */
  private static final long MAX_ROW_SIZE = (1L << 32) - (1 << 16);

  private final Database database;
  private final NativeFamily family;
  private final NativeWriteOptions options;

  // What a write uses beside the database; null for nothing.
  private final Handle guarded;

  /** A sink that <em>shares</em> all it is given. */
  public Sink(Source source, NativeWriteOptions options) {
    this.database = source.database();
    this.family = source.family();
    this.options = options;
    this.guarded =
        family.isDefault() ? null : options.skipsMissingFamilies() ? family.handle() : family.writing();
  }

  private Call enter() {
    Call call = Call.enter(database.handle());
    if (guarded != null) {
      call.alsoUse(guarded, null);
    }
    return call;
  }

  public Call enter(byte[] key) {
    Call call = enter();
    try {
      call.copyKey(key);
      return call;
    } catch (Throwable e) {
      call.exit();
      throw e;
    }
  }

  public Call enter(MemorySegment key) {
    Call call = enter();
    try {
      call.copyKey(key);
      return call;
    } catch (Throwable e) {
      call.exit();
      throw e;
    }
  }

  public void put(Call call, byte[] value) {
    try {
      checkSize(call, value.length);
      call.copyValue(value);
      put(call, call.value(), value.length);
    } finally {
      call.exit();
    }
  }

  public void put(Call call, MemorySegment value) {
    try {
      put(call, readable(call, value), value.byteSize());
    } finally {
      call.exit();
    }
  }

  private void put(Call call, MemorySegment value, long size) {
    RocksDbC.rocksdb_put_cf(
        database.pointer(), options.pointer(), family.pointer(), call.key(), call.keySize(), value, size, call.error);
    check(call);
  }

  public void merge(Call call, byte[] operand) {
    try {
      checkSize(call, operand.length);
      call.copyValue(operand);
      merge(call, call.value(), operand.length);
    } finally {
      call.exit();
    }
  }

  public void merge(Call call, MemorySegment operand) {
    try {
      merge(call, readable(call, operand), operand.byteSize());
    } finally {
      call.exit();
    }
  }

  private void merge(Call call, MemorySegment operand, long size) {
    family.rules().requireMergeable(family);
    RocksDbC.rocksdb_merge_cf(
        database.pointer(), options.pointer(), family.pointer(), call.key(), call.keySize(), operand, size, call.error);
    check(call);
  }

  public void delete(Call call) {
    try {
      RocksDbC.rocksdb_delete_cf(
          database.pointer(), options.pointer(), family.pointer(), call.key(), call.keySize(), call.error);
      check(call);
    } finally {
      call.exit();
    }
  }

  public void singleDelete(Call call) {
    try {
      RocksDbC.rocksdb_singledelete_cf(
          database.pointer(), options.pointer(), family.pointer(), call.key(), call.keySize(), call.error);
      check(call);
    } finally {
      call.exit();
    }
  }

  /** Deletes from the call's key up to, and not with, {@code end}. */
  public void deleteRange(Call call, byte[] end) {
    try {
      call.copyValue(end);
      deleteRange(call, call.value(), end.length);
    } finally {
      call.exit();
    }
  }

  public void deleteRange(Call call, MemorySegment end) {
    try {
      deleteRange(call, readable(call, end), end.byteSize());
    } finally {
      call.exit();
    }
  }

  private void deleteRange(Call call, MemorySegment end, long size) {
    family.rules().requireAscending(call.key(), call.keySize(), end, size);
    RocksDbC.rocksdb_delete_range_cf(
        database.pointer(), options.pointer(), family.pointer(), call.key(), call.keySize(), end, size, call.error);
    check(call);
  }

  /** Writes all of a batch, or nothing. */
  public void write(BatchBytes batch) {
    Call call = Call.enter(database.handle());
    try (BatchCheck check = new BatchCheck(database, options.skipsMissingFamilies())) {
      batch.check(check);
      call.reserveValue(batch.size());
      batch.copyTo(call.value());
      RocksDbC.rocksdb_ffm_write(
          Engine.TABLE, database.pointer(), options.pointer(), call.value(), batch.size(), call.error);
      check(call);
    } finally {
      call.exit();
    }
  }

  /**
   * The value's bytes where the engine may read them during this call: where they are, kept alive by the
   * linker, if they are native, and copied otherwise. A mapped file is copied, because it may shrink.
   */
  private static MemorySegment readable(Call call, MemorySegment value) {
    checkSize(call, value.byteSize());
    if (value.isNative() && !value.isMapped()) {
      return value;
    }
    call.copyValue(value);
    return call.value();
  }

  private static void checkSize(Call call, long valueSize) {
    if (valueSize > MAX_ROW_SIZE - call.keySize()) {
      throw new IllegalArgumentException(
          "value: " + valueSize + " bytes, but key and value together have at most " + MAX_ROW_SIZE);
    }
  }

  private void check(Call call) {
    Reference.reachabilityFence(options);
    Status.check(call.error, family.handle().name());
  }
}
