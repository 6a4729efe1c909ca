/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.Options;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.StoredOptions;

class OptionNameListTest {
  private static final Path LIST = Path.of("src/main/resources/org/rocksdbffm/internal/option-names.txt");

  @TempDir Path folder;

  /** After an update of the engine, the list that this test wants is the new content of the file. */
  @Test
  void theNamesThatAdviceIsGivenFromAreThoseOfTheEnginesOwnOptionsFile() throws IOException {
    RocksDb.open(folder).close();
    StoredOptions stored = Options.load(folder);
    Options family = stored.columnFamilies().get(RocksDb.DEFAULT_COLUMN_FAMILY);
    TreeSet<String> names = new TreeSet<>();
    names.add("options table_factory"); // loaded as what its own options are set in
    stored.database().settings().keySet().forEach(name -> names.add("options " + name));
    family.settings().keySet().forEach(name -> names.add("options " + name));
    family.table().settings().keySet().forEach(name -> names.add("table " + name));
    assertEquals(String.join("\n", names), Files.readString(LIST).strip());
  }
}
