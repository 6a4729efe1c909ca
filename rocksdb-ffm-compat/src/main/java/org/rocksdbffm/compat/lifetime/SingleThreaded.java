/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.Set;

/** Which of upstream's classes have objects that two threads must not use at once. */
final class SingleThreaded {
  /** What extends one of these is like it. */
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
