/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.reports.CacheText;
import org.rocksdbffm.reports.CacheReport;
import org.rocksdbffm.reports.FamilyReport;

/** Metrics of a column family. Thread-safe; usable while the family is open. */
public sealed class FamilyMetrics permits DatabaseMetrics {
  final NativeFamily family;

  FamilyMetrics(NativeFamily family) {
    this.family = family;
  }

  /**
   * Returns metrics of the column family: its estimated keys, files, memtables, and cache usage.
   *
   * @return the current metrics
   */
  public FamilyReport report() {
    return Reports.family(family);
  }

  /**
   * Returns the entries by kind of the block cache that the column family uses. May scan the whole cache on the calling
   * thread, without blocking its users.
   *
   * @param scan the maximum age of the report
   * @return the result of the engine's last scan
   * @throws IllegalStateException if the column family has no block cache, or a strict one that was too full at the
   *     opening for an entry that the engine needs
   */
  public CacheReport cache(CacheReport.Scan scan) {
    return Reports.cache(
        CacheText.of(family, requireNonNull(scan, "scan").property())
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        family.handle() + " has no block cache that can be looked through: open it without"
                            + " TableOptions.noBlockCache, and with a cache that is not full")));
  }

  /**
   * Returns a property of the engine.
   *
   * @param name the name, such as {@code rocksdb.stats}
   * @return the property's text, or null if it is not available now; unknown names are refused
   */
  public String property(String name) {
    return family.property(requireNonNull(name, "name"));
  }

  /**
   * Returns a numeric property of the engine.
   *
   * @param name the name, such as {@code rocksdb.estimate-num-keys}
   * @return the number, or empty if it is not available now; unknown names are refused
   */
  public OptionalLong longProperty(String name) {
    return family.longProperty(requireNonNull(name, "name"));
  }

  @Override
  public String toString() {
    return "metrics of " + family.handle();
  }
}
