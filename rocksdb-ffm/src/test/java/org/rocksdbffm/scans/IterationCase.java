/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.scans;

import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.text;

import java.util.List;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.tools.DatabaseCase;

/** The base of iteration tests: a database, which is closed after each test. */
abstract class IterationCase extends DatabaseCase {
  void put(String... keys) {
    for (String key : keys) {
      db.put(bytes(key), bytes("v" + key));
    }
  }

  List<String> keys(KeyRange range) {
    return db.stream(range, row -> text(row.keyBytes())).toList();
  }
}
