/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.util.List;

/** The target that a method is linked to. */
sealed interface Route {
  /** Where the row is, for messages. */
  String where();

  /** A C function of the engine; the order tells, for each C parameter, which Java one it gets. */
  record ToC(String where, String function, List<Integer> order) implements Route {}

  /** A static method of the glue, by the simple name of its class. */
  record ToGlue(String where, String type, String method) implements Route {}

  /** The entry point that the engine exports for this very method, which has no use for a {@code JNIEnv}. */
  record ToEntryPoint(String where) implements Route {}

  /** The entry point that the engine exports for this very method, which is given a {@code JNIEnv} of upcalls. */
  record ToEnvironment(String where) implements Route {}

  /** Nothing that could do it; the reason is told to whoever calls it. */
  record ToNothing(String where, String reason) implements Route {}

  /** A static method of the glue in place of upstream's Java, not of a native method. */
  record Instead(String where, String type, String method) implements Route {}
}
