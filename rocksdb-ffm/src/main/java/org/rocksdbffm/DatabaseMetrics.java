/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.reports.CacheText;
import org.rocksdbffm.reports.CacheReport;
import org.rocksdbffm.reports.DatabaseHealth;
import org.rocksdbffm.reports.FamilyReport;
import org.rocksdbffm.reports.MemoryReport;
import org.rocksdbffm.reports.Statistics;

/**
 * Metrics of a database; inherited ones are about its default column family. Thread-safe; usable while the database is
 * open.
 */
public final class DatabaseMetrics extends FamilyMetrics {
  private final RocksDb db;
  private final Database database;
  private final FamilyRegistry registry;

  DatabaseMetrics(RocksDb db, NativeFamily defaultFamily, FamilyRegistry registry) {
    super(defaultFamily);
    this.db = db;
    this.database = db.database();
    this.registry = registry;
  }

  /**
   * Returns the engine's counts since the opening. Call it about once a second, not for each operation: the engine
   * formats a text of 20 KB.
   *
   * @return the current statistics
   * @throws IllegalStateException if the database was opened without {@link DatabaseOptions#statistics}
   */
  public Statistics statistics() {
    return Reports.statistics(family);
  }

  /**
   * Returns whether the database accepts writes, and whether flushes and compactions keep up. Tests this with an empty
   * write, which does not wait, and adds some 20 bytes to the WAL. Call it about once a second, not for each operation.
   *
   * <p>After a failure such as a full disk, the engine itself tries to resume; see {@link RocksDb#resume} and
   * {@link DatabaseOptions#resumeWithRoom}. If writes are still refused, the database must be opened again.
   *
   * @return the current state
   */
  public DatabaseHealth health() {
    database.requireOpen(); // also checks the stack, which the first use of a class needs
    return Reports.health(db, family, registry.natives());
  }

  /**
   * Returns metrics of all open column families.
   *
   * @return a {@link #report} for each family
   */
  public List<FamilyReport> families() {
    database.requireOpen();
    return Reports.ofAll(registry.natives(), Reports::family);
  }

  /**
   * Returns the entries by kind of the block caches of all open column families, each cache once. Families without a
   * block cache are omitted.
   *
   * @param scan the maximum age of the reports
   * @return a report for each cache, as {@link #cache} returns
   */
  public List<CacheReport> caches(CacheReport.Scan scan) {
    String property = requireNonNull(scan, "scan").property();
    database.requireOpen();
    return Reports.caches(Reports.ofAll(registry.natives(), family -> CacheText.of(family, property)));
  }

  /**
   * Returns the memory that the database uses.
   *
   * @return the current memory of all families, by kind
   */
  public MemoryReport memory() {
    return Reports.memory(registry.natives(), database.pins().bytes());
  }

  @Override
  public String toString() {
    return "metrics of " + database.handle();
  }
}
