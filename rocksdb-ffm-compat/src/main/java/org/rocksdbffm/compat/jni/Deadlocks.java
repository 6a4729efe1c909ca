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
 * The deadlocks that a database remembers. The entry point that tells them calls a method of the class in the place of an
 * object, asks for a constructor with a type that there is none of, and makes the array of a path as long as there are
 * paths: with upstream it throws as soon as there is a deadlock. Here it gets what it means.
 */
final class Deadlocks {
  private static final Constructor<DeadlockInfo> INFO =
      new Constructor<>(DeadlockInfo.class, long.class, long.class, String.class, boolean.class);

  private Deadlocks() {}

  /** The method to take for a member that C asks for by mistake; null if it asks for the right one. */
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

  @SuppressWarnings("unused") // C calls it
  private static DeadlockInfo wait(Object ignored, long transaction, long family, String key, boolean isExclusive) {
    return INFO.make(transaction, family, key, isExclusive);
  }

  @SuppressWarnings("unused") // C calls it
  private static DeadlockPath path(DeadlockInfo[] waits, boolean isCutOff) {
    return new DeadlockPath(Arrays.stream(waits).filter(Objects::nonNull).toArray(DeadlockInfo[]::new), isCutOff);
  }

  /** The array that C means when it fills an element: a longer one, if it has none there and is a path. */
  static Object[] withRoomFor(int index, Object[] array) {
    return array instanceof DeadlockInfo[] && index >= array.length ? Arrays.copyOf(array, index + 1) : array;
  }
}
