/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.jmh.files.store.FileStores;

/** Tests that work with files makes and reads the same on all engines, however often it is done before. */
class FileRowTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void allEnginesMakeTheSame(FileRow row) throws Exception {
    long sum = sum(row, FileStores.JNI, 0);
    assertTrue(sum > 100_000, "sum " + sum);
    assertEquals(sum, sum(row, FileStores.FFM, 2));
    assertEquals(sum, sum(row, FileStores.JNI, 1));
  }

  private long sum(FileRow row, String engine, int runs) throws Exception {
    Path its = Files.createDirectory(folder.resolve(engine + runs));
    try (RepeatedFileWork work = row.work(engine, its, 1)) {
      work.prepare();
      for (int i = 0; i < runs; i++) {
        work.before();
        assertTrue(work.run() > 0);
        work.after();
      }
      return work.checksum();
    }
  }
}
