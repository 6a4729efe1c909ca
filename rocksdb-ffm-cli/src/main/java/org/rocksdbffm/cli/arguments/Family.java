/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.arguments;

import java.nio.file.Path;

import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.RocksDb;

import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Arguments that name a column family of a database. */
public final class Family {
  @Parameters(index = "0", paramLabel = "DIR", description = "folder of the database")
  private Path folder;

  @Option(names = {"-f", "--family"}, paramLabel = "FAMILY", description = "column family (default: ${DEFAULT-VALUE})")
  private String name = RocksDb.DEFAULT_COLUMN_FAMILY;

  /**
   * Opens the family for reading alone.
   *
   * @return the database, which the caller closes
   */
  public RocksDb openReadOnly() {
    return Database.at(folder).openReadOnly(name);
  }

  /**
   * Opens the database for writing.
   *
   * @return the database, which the caller closes
   */
  public RocksDb open() {
    return Database.at(folder).open(name);
  }

  /**
   * Creates the database with the family.
   *
   * @return the database, which the caller closes
   */
  public RocksDb create() {
    return Database.at(folder).create(name);
  }

  /**
   * Finds the family.
   *
   * @param db that was opened by this
   * @return the family
   */
  public ColumnFamily in(RocksDb db) {
    return db.family(name);
  }
}
