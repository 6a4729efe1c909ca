/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options;

import java.nio.file.Path;
import java.util.Map;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Opening;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.internal.options.table.OptionTable;
import org.rocksdbffm.internal.options.table.OptionText;

/** Options by name, for tests in which they may be options of the database or of a column family. */
public record AnyOptions(DatabaseOptions database, FamilyOptions families) {
  public static final AnyOptions NONE = new AnyOptions(DatabaseOptions.defaults(), FamilyOptions.defaults());

  public AnyOptions with(String name, Object value) {
    return OptionTable.find(OptionTable.DATABASE, name) == null
        ? new AnyOptions(database, families.option(name, value))
        : new AnyOptions(database.option(name, value), families);
  }

  public AnyOptions with(String text) {
    AnyOptions all = this;
    for (Map.Entry<String, String> option : OptionText.parse(text).entrySet()) {
      all = all.with(option.getKey(), option.getValue());
    }
    return all;
  }

  public Opening at(Path folder) {
    return RocksDb.at(folder).options(database).defaults(families);
  }
}
