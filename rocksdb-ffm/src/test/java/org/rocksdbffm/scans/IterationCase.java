/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.scans;

import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.text;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;

/** A database for tests of iteration, which is closed behind each. */
abstract class IterationCase {
  @TempDir Path folder;
  RocksDb db;

  @BeforeEach
  void open() {
    db = RocksDb.open(folder);
  }

  @AfterEach
  void close() {
    db.close();
  }

  void put(String... keys) {
    for (String key : keys) {
      db.put(bytes(key), bytes("v" + key));
    }
  }

  List<String> keys(KeyRange range) {
    return db.stream(range, row -> text(row.keyBytes())).toList();
  }
}
