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

  /** Opens the family for figures of its tables. */
  public RocksDb openTables() {
    return database.tables(name).openReadOnly();
  }

  /** Opens the family for reading alone; the operands take the place of a merge operator that is not known here. */
  public RocksDb openReadOnly(Operands operands) {
    return database.rows(name, operands).openReadOnly();
  }

  /** Opens the database for writing. */
  public RocksDb open() {
    return database.open(name);
  }

  /** Creates the database with the family, and fills it: it is there when it is full, and not before. */
  public void create(Database.Making<RocksDb> filling) throws IOException {
    database.make(made -> {
      try (RocksDb db = RocksDb.at(made).family(name, FamilyOptions.defaults()).mustNotExist().open()) {
        filling.make(db);
      }
    });
  }

  /** How many keys the family has, by an estimate. */
  public long estimatedKeys(RocksDb db) {
    return in(db).metrics().report().estimatedKeys();
  }

  /** Finds the family. */
  public ColumnFamily in(RocksDb db) {
    return db.family(name);
  }
}
