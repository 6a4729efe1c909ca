/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.arguments;

import java.io.IOException;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Opening;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.cli.arguments.Database;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Arguments that name a column family of a database. */
public final class Family {
  @Mixin private Database database;

  @Option(names = {"-f", "--family"}, paramLabel = "FAMILY", description = "column family (default: ${DEFAULT-VALUE})")
  private String name = RocksDb.DEFAULT_COLUMN_FAMILY;

  /** The database. */
  public Database database() {
    return database;
  }

  /** The name. */
  public String name() {
    return name;
  }

  /** Opens the family for figures of its tables. */
  public RocksDb openTables() {
    return openReadOnly(database.tables(name));
  }

  /** Opens the family for reading alone; the operands take the place of a merge operator that is not known here. */
  public RocksDb openReadOnly(Operands operands) {
    return openReadOnly(database.rows(name, operands));
  }

  /** The list of families is read if it fails alone. */
  private RocksDb openReadOnly(Opening opening) {
    try {
      return opening.openReadOnly();
    } catch (RocksDbException e) {
      if (e.code() == RocksDbException.Code.INVALID_ARGUMENT) {
        database.requireFamily(name);
      }
      throw e;
    }
  }

  /** Opens the database for writing. */
  public RocksDb open() {
    database.requireFamily(name);
    return database.open();
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
