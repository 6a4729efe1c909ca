/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.Set;

/** The classes of upstream's with objects that two threads must not use at once. */
final class SingleThreaded {
  /** Their names; a subclass of one of them is like it. */
  private static final Set<String> CLASSES =
      Set.of(
          "org.rocksdb.AbstractRocksIterator",
          "org.rocksdb.AbstractWriteBatch",
          "org.rocksdb.SstFileReader",
          "org.rocksdb.SstFileWriter",
          "org.rocksdb.Transaction",
          "org.rocksdb.TransactionLogIterator");

  private static final ClassValue<Boolean> KNOWN =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return CLASSES.contains(type.getName()) || type.getSuperclass() != null && is(type.getSuperclass());
        }
      };

  private SingleThreaded() {}

  static boolean is(Class<?> type) {
    return KNOWN.get(type);
  }
}
