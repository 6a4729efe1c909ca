/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.compat.tools.ChildJvm;

/** With a system property, all databases of a program share one memory budget, whatever their options are. */
class SharedMemoryTest {
  @TempDir Path folder;

  private String output(String size, String what) throws IOException {
    return ChildJvm.run(folder, SharedMemoryProgram.class, List.of("-Dorg.rocksdbffm.compat.memory=" + size), what);
  }

  @Test
  void databasesOfEveryKindAndTheirFamiliesHaveOneCacheAndStayWithinIt() throws IOException {
    String output = output("64m", "kinds");
    String capacity = ": " + (48 << 20); // the rest is reserved for memory that is not counted
    for (String name :
        List.of("default", "tuned", "tuned too", "uncached", "locks", "optimistic", "ttl", "read only", "secondary",
            "families")) {
      assertTrue(output.contains("\n" + name + capacity), () -> name + " in " + output);
    }
    assertEquals(4, output.split("\nfamily" + capacity, -1).length - 1, output);
    assertTrue(output.contains("own caches: true"), output);
    assertTrue(output.contains("filter of the program: true"), output);
    assertTrue(output.contains("rows of the program's cache: 0"), output);
    assertEquals(2, output.split("-Dorg.rocksdbffm.compat.memory=64m: all databases share one block cache").length,
        output);
    assertTrue(output.contains("-Dorg.rocksdbffm.compat.memory does not count tables that are not block based"),
        output);
  }

  @Test
  void aSizeThatIsNoneIsRefusedByName() throws IOException {
    String[] words = {"wrong", "", "512", "7m", "1025g", "12q", "-1m", "1.5g", "9999999999999g", " 64m"};
    String output = ChildJvm.run(folder, SharedMemoryProgram.class, List.of(), words);
    for (String size : Arrays.asList(words).subList(1, words.length)) {
      String refusal =
          "0 opened, java.lang.IllegalArgumentException: -D" + SharedMemory.PROPERTY + "=" + size
              + ": it is a size from 8m to 1024g, such as 512m or 2g";
      assertTrue(output.contains(refusal), () -> refusal + " in " + output);
    }
  }

  @Test
  void aShareReturnsWhereTheOptionsCannotBeCopied() throws IOException {
    assertTrue(output("8m", "uncopied").contains("\n8 opened, org.rocksdb.RocksDBException: "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"8M", "8192k", "8388608"})
  void moreDatabasesThanItHasRoomForAreRefused(String size) throws IOException {
    String output = output(size, "many");
    assertTrue(
        output.contains(
            "8 opened, org.rocksdb.RocksDBException: -Dorg.rocksdbffm.compat.memory=" + size
                + ": memory budget of 8388608 bytes: the memtables of one of its databases would have 466033 bytes"),
        output);
  }
}
