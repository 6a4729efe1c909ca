/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.watch;

import java.util.List;
import java.util.OptionalLong;

/**
 * An open database as those see it who watch all of them. Once it is closed, questions fail with an
 * {@link IllegalStateException}. Thread-safe.
 */
public interface OpenDatabase {
  /** Its folder, which it says when it is closed as well. */
  String path();

  /** Its column families that are open, the default one among them. */
  List<? extends Family> families();

  /** How many values are pinned in it. */
  default long pinCount() {
    return 0;
  }

  /** How many bytes the pinned values have. */
  default long pinnedBytes() {
    return 0;
  }

  /** Whether a call that announces the handle with this id uses it. Makes no call. */
  boolean isUsedBy(long handle);

  /** The name of its column family that a call uses which announces the handle with this id; null for none. */
  String familyUsedBy(long handle);

  /** A column family of it, and what the engine says of that. */
  interface Family {
    String name();

    /** Empty if the engine does not know it at the moment. */
    OptionalLong longProperty(String name);

    /** Null if the engine does not know it at the moment. */
    String property(String name);
  }
}
