/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Objects;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDB.DeadlockInfo;
import org.rocksdb.TransactionDB.DeadlockPath;
import org.rocksdbffm.compat.support.Constructor;

/**
 * The deadlocks that a transaction database remembers. RocksDB's JNI code calls an instance method on the class, looks
 * up a constructor that does not exist, and sizes each path by the number of paths, so rocksdbjni throws on the first
 * deadlock. This class supplies the intended members.
 */
final class Deadlocks {
  private static final Constructor<DeadlockInfo> INFO =
      new Constructor<>(DeadlockInfo.class, long.class, long.class, String.class, boolean.class);

  private Deadlocks() {}

  /** Returns the method to use for a member that the JNI code looks up wrongly; null for other members. */
  static MethodHandle meantBy(Class<?> owner, String name) throws ReflectiveOperationException {
    if (owner == TransactionDB.class && name.equals("newDeadlockInfo")) {
      return find("wait", DeadlockInfo.class, Object.class, long.class, long.class, String.class, boolean.class);
    }
    if (owner == DeadlockPath.class && name.equals("<init>")) {
      return find("path", DeadlockPath.class, DeadlockInfo[].class, boolean.class);
    }
    return null;
  }

  private static MethodHandle find(String name, Class<?> result, Class<?>... parameters)
      throws ReflectiveOperationException {
    return MethodHandles.lookup().findStatic(Deadlocks.class, name, MethodType.methodType(result, parameters));
  }

  @SuppressWarnings("unused") // called by JNI code
  private static DeadlockInfo wait(Object ignored, long transaction, long family, String key, boolean isExclusive) {
    return INFO.make(transaction, family, key, isExclusive);
  }

  @SuppressWarnings("unused") // called by JNI code
  private static DeadlockPath path(DeadlockInfo[] waits, boolean isCutOff) {
    return new DeadlockPath(Arrays.stream(waits).filter(Objects::nonNull).toArray(DeadlockInfo[]::new), isCutOff);
  }

  /** Returns the array in which to set an element: a longer copy of a path that is too short. */
  static Object[] withRoomFor(int index, Object[] array) {
    return array instanceof DeadlockInfo[] && index >= array.length ? Arrays.copyOf(array, index + 1) : array;
  }
}
