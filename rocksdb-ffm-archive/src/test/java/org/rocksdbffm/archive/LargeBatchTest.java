/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.RocksDb;

/** A batch that is large for the heap is archived by a base, which is read in pieces. */
class LargeBatchTest {
  @TempDir Path folder;

  @Test
  void aLargeBatchIsInTheNextBase() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx160m",
                "-cp",
                System.getProperty("java.class.path"),
                LargeBatchProgram.class.getName(),
                folder.resolve("db").toString(),
                folder.resolve("store").toString())
            .redirectErrorStream(true)
            .start();
    String printed = new String(process.getInputStream().readAllBytes());
    assertEquals("0 bases: 2\n", process.waitFor() + " " + printed);
    Archive archive = Archive.in(FolderStore.open(folder.resolve("store")));
    archive.restore(folder.resolve("restored"), Target.newest());
    try (RocksDb db = RocksDb.open(folder.resolve("restored"))) {
      byte[] large = LargeBatchProgram.value();
      for (byte[] value : new byte[][] {{1}, large, {3}}) {
        assertArrayEquals(value, db.get(new byte[] {value[0]}));
      }
    }
  }
}
