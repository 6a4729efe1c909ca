/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;

/** A test with a new database that is open during each method, which must release every pin and native object. */
@ExtendWith(LiveObjectsCheck.class)
public abstract class DatabaseCase {
  @TempDir protected Path folder;
  protected RocksDb db;

  @BeforeEach
  final void openDatabase() {
    db = RocksDb.at(folder).defaults(options()).open();
  }

  /** Returns the options of the default column family. */
  protected FamilyOptions options() {
    return FamilyOptions.defaults();
  }

  @AfterEach
  final void closeDatabase() {
    assertEquals(0, db.pins().count());
    db.close();
  }
}
