/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.metrics.CacheText;
import org.rocksdbffm.metrics.CacheReport;
import org.rocksdbffm.metrics.FamilyReport;

/** Figures of a column family. Thread-safe; usable as long as the family is open. */
public sealed class FamilyMetrics permits DatabaseMetrics {
  final NativeFamily family;

  FamilyMetrics(NativeFamily family) {
    this.family = family;
  }

  /**
   * Figures of the column family: its estimated keys, its files, its memtables, and how full its caches are.
   *
   * @return the figures of this moment
   */
  public FamilyReport report() {
    return Figures.family(family);
  }

  /**
   * The kinds of entries in the block cache that the column family reads by. The thread that asks may look through the whole
   * cache for it, which others go on using.
   *
   * @param scan how old the answer may be
   * @return what the engine found when it last looked
   * @throws IllegalStateException if the column family has no block cache, or a strict one that is too full for the
   *     engine's own entry when it was opened
   */
  public CacheReport cache(CacheReport.Scan scan) {
    return Figures.cache(
        CacheText.of(family, requireNonNull(scan, "scan").property())
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        family.handle() + " has no block cache that can be looked through: open it without"
                            + " TableOptions.noBlockCache, and with a cache that is not full")));
  }

  /**
   * Asks the engine for a property.
   *
   * @param name such as {@code rocksdb.stats}
   * @return the property's text, or null if the engine cannot tell it at the moment; a name that it does not have is
   *     refused
   */
  public String property(String name) {
    return family.property(requireNonNull(name, "name"));
  }

  /**
   * Asks the engine for a property that is a number.
   *
   * @param name such as {@code rocksdb.estimate-num-keys}
   * @return the number, unless the engine cannot tell it at the moment; a name that it does not have is refused
   */
  public OptionalLong longProperty(String name) {
    return family.longProperty(requireNonNull(name, "name"));
  }
}
