/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdbffm.compat.lifetime.Guard;
import org.rocksdbffm.compat.lifetime.UpstreamFields;
import org.rocksdbffm.compat.read.StubReader;
import org.rocksdbffm.compat.support.Errors;
import org.rocksdbffm.compat.support.FamilyHandles;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.support.Text;
import org.rocksdbffm.internal.call.Call;

/** Reads RocksDB's properties by name. */
public final class Properties {
  private Properties() {}

  public static String text(long db, long family, String name, int length) throws RocksDBException {
    Call call = Scratch.enter();
    try {
      long value =
          rocksdb_property_value_cf(
              Scratch.wrap(call, 0, db),
              Scratch.wrap(call, 2, StubReader.family(db, family)),
              Scratch.text(call, name));
      if (value == 0) {
        throw Errors.of(Status.Code.NotFound, null);
      }
      return Text.take(value);
    } finally {
      call.exit();
    }
  }

  public static long number(long db, long family, String name, int length) throws RocksDBException {
    Call call = Scratch.enter();
    try {
      int unknown =
          rocksdb_property_int_cf(
              Scratch.wrap(call, 0, db),
              Scratch.wrap(call, 2, StubReader.family(db, family)),
              Scratch.text(call, name),
              call.sizeCell.address());
      if (unknown != 0) {
        throw Errors.of(Status.Code.NotFound, null);
      }
      return call.sizeInCell();
    } finally {
      call.exit();
    }
  }

  /** Returns the sum over all open column families, for which the C API has no function. */
  public static long sum(RocksDB db, String name) throws RocksDBException {
    Object used = Guard.use(UpstreamFields.guard(db), null);
    try {
      long pointer = db.getNativeHandle();
      long sum = number(pointer, 0, name, name.length());
      for (Guard child : UpstreamFields.guard(db).children()) {
        if (child.isOfType(ColumnFamilyHandle.class)) {
          used = Guard.use(child, used);
          sum += FamilyHandles.number(child.pointer()) == 0 ? 0 : number(pointer, child.pointer(), name, name.length());
        }
      }
      return sum;
    } finally {
      Guard.leave(used);
    }
  }

  private static native long rocksdb_property_value_cf(long db, long family, long name);

  private static native int rocksdb_property_int_cf(long db, long family, long name, long value);
}
