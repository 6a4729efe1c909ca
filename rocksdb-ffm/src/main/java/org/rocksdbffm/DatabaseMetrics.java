/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.metrics.CacheText;
import org.rocksdbffm.metrics.CacheReport;
import org.rocksdbffm.metrics.DatabaseHealth;
import org.rocksdbffm.metrics.FamilyReport;
import org.rocksdbffm.metrics.MemoryReport;
import org.rocksdbffm.metrics.Statistics;

/** Figures of a database; those inherited are of its default column family. Thread-safe; usable as long as it is open. */
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
   * All that the engine has counted since the opening, for once a second and not for each call: it is a text of 20 KB.
   *
   * @return the counts of this moment
   * @throws IllegalStateException if the database was opened without {@link DatabaseOptions#statistics}
   */
  public Statistics statistics() {
    return Figures.statistics(family);
  }

  /**
   * Whether the database takes writes, and how its flushes and compactions keep up. It asks by a write of nothing, which
   * does not wait, and is a record of some 20 bytes in the log: for once a second and not for each call.
   *
   * <p>After a failure such as that of a full disk, the engine tries by itself whether it can go on. A refusal that stays
   * when the cause is mended ends with the next opening.
   *
   * @return the state of this moment
   */
  public DatabaseHealth health() {
    database.requireOpen(); // and a stack with room for a class that is used for the first time
    return Figures.health(db, family, registry.natives());
  }

  /**
   * Figures of all column families that are open.
   *
   * @return for each what {@link #report} has of one
   */
  public List<FamilyReport> families() {
    database.requireOpen();
    return Figures.ofAll(registry.natives(), Figures::family);
  }

  /**
   * The kinds of entries in the block caches of all column families that are open, each cache once. Families without a
   * block cache are left out.
   *
   * @param scan how old the answers may be
   * @return for each cache what {@link #cache} has of one
   */
  public List<CacheReport> caches(CacheReport.Scan scan) {
    String property = requireNonNull(scan, "scan").property();
    database.requireOpen();
    return Figures.caches(Figures.ofAll(registry.natives(), family -> CacheText.of(family, property)));
  }

  /**
   * The memory that the database uses.
   *
   * @return what all families use at the moment, by kind
   */
  public MemoryReport memory() {
    return Figures.memory(registry.natives(), database.pins().bytes());
  }
}
