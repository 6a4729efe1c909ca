/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.metrics;

import java.util.Optional;
import java.util.OptionalLong;
import org.rocksdbffm.internal.db.NativeFamily;

/** The engine's properties about a cache of a family. */
public record CacheFigures(long capacity, long used, long pinned) {
  /** Asks the engine; none if the family has no such cache. */
  static Optional<CacheFigures> of(NativeFamily family, String kind) {
    OptionalLong capacity = family.longProperty("rocksdb." + kind + "-capacity");
    if (capacity.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new CacheFigures(
            capacity.getAsLong(),
            FamilyFigures.ask(family, "rocksdb." + kind + "-usage"),
            FamilyFigures.ask(family, "rocksdb." + kind + "-pinned-usage")));
  }
}
