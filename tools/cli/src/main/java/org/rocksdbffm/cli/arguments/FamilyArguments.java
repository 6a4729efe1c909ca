/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.arguments;

import java.io.IOException;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.Opening;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.cli.arguments.Database;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Arguments that name a column family of a database. */
public final class FamilyArguments {
  @Mixin private Database database;

  @Option(names = {"-f", "--family"}, paramLabel = "FAMILY", description = "column family (default: ${DEFAULT-VALUE})")
  private String name = RocksDb.DEFAULT_COLUMN_FAMILY;

  /** Returns the database. */
  public Database database() {
    return database;
  }

  /** Returns the name. */
  public String name() {
    return name;
  }

  /** Opens the family for statistics of its tables. */
  public RocksDb openTables() {
    return openReadOnly(database.tables(name));
  }

  /** Opens the family read-only; the operands replace an unknown merge operator. */
  public RocksDb openReadOnly(Operands operands) {
    return openReadOnly(database.rows(name, operands));
  }

  /** Opens the family; the list of families is only read after a failure. */
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

  /** Creates and fills a database with the family; it appears in its folder after it is complete. */
  public void create(Database.Making<RocksDb> filling) throws IOException {
    database.make(made -> {
      try (RocksDb db = RocksDb.at(made).family(name, FamilyOptions.defaults()).mustNotExist().open()) {
        filling.make(db);
      }
    });
  }

  /** Returns the estimated number of keys of the family. */
  public long estimatedKeys(RocksDb db) {
    return in(db).metrics().report().estimatedKeys();
  }

  /** Finds the family for reading many rows, which are not added to the block cache: this process reads each once. */
  public KeySpace rows(RocksDb db) {
    return in(db).with(ReadOptions.defaults().fillCache(false));
  }

  /** Finds the family. */
  public ColumnFamily in(RocksDb db) {
    return db.family(name);
  }
}
