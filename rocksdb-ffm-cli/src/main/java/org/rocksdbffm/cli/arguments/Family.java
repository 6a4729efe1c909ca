/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.arguments;

import java.io.IOException;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.cli.arguments.Database;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Arguments that name a column family of a database. */
public final class Family {
  @Mixin private Database database;

  @Option(names = {"-f", "--family"}, paramLabel = "FAMILY", description = "column family (default: ${DEFAULT-VALUE})")
  private String name = RocksDb.DEFAULT_COLUMN_FAMILY;

  /**
   * Opens the family for reading alone.
   *
   * @return the database, which the caller closes
   */
  public RocksDb openReadOnly() {
    return database.openReadOnly(name, null);
  }

  /**
   * Opens the family for reading alone.
   *
   * @param operands takes the place of a merge operator that is not known here
   * @return the database, which the caller closes
   */
  public RocksDb openReadOnly(Operands operands) {
    return database.openReadOnly(name, operands);
  }

  /**
   * Opens the database for writing.
   *
   * @return the database, which the caller closes
   */
  public RocksDb open() {
    return database.open(name);
  }

  /** Fills a database that was just created. */
  @FunctionalInterface
  public interface Filling {
    /**
     * Writes rows.
     *
     * @param db open for writing
     * @throws IOException what is passed on
     */
    void fill(RocksDb db) throws IOException;
  }

  /**
   * Creates the database with the family, and fills it: it is there when it is full, and not before.
   *
   * @param filling writes the rows
   * @throws IOException if the folder has anything in it, or the filling fails
   */
  public void create(Filling filling) throws IOException {
    database.make(made -> {
      try (RocksDb db = RocksDb.at(made).family(name, FamilyOptions.defaults()).mustNotExist().open()) {
        filling.fill(db);
      }
    });
  }

  /**
   * How many keys the family has.
   *
   * @param db that was opened by this
   * @return an estimate
   */
  public long estimatedKeys(RocksDb db) {
    return in(db).metrics().report().estimatedKeys();
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
