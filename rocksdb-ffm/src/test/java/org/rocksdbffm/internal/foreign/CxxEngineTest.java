/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.internal.c.RocksDbC;

/** Tests the C++ stubs, and that their contract, the list of symbols and the table agree. */
class CxxEngineTest {
  private static final Path STUBS = Path.of("../native-stubs");

  @Test
  void theTableHasTheFunctionsOfTheContractInItsOrder() throws IOException {
    List<String> rows =
        Files.readAllLines(STUBS.resolve("cxx-symbols.txt")).stream().filter(row -> row.startsWith("function "))
            .toList();
    assertEquals(rows.stream().map(row -> row.split(" ")[2]).toList(), CxxEngine.FUNCTIONS);

    String contract = Files.readString(STUBS.resolve("include/rocksdb_ffm_cxx.h"));
    String struct = contract.substring(contract.indexOf("typedef struct rocksdb_ffm_cxx_engine {"));
    List<String> members =
        Pattern.compile("void\\* (\\w+);")
            .matcher(struct.substring(0, struct.indexOf('}')))
            .results()
            .map(member -> member.group(1))
            .toList();
    assertEquals(rows.stream().map(row -> row.split(" ")[1]).toList(), members);
  }

  @Test
  void aStubCallsAVirtualFunctionOfAnOpenDatabase(@TempDir Path folder) throws Throwable {
    MethodHandle resume = link("rocksdb_ffm_cxx_resume", void.class, long.class, long.class, long.class);
    MethodHandle open = link("rocksdb_open", long.class, long.class, long.class, long.class);
    MethodHandle create = link("rocksdb_options_set_create_if_missing", void.class, long.class, byte.class);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
      MemorySegment options = RocksDbC.rocksdb_options_create();
      create.invokeExact(options.address(), (byte) 1);
      String path = folder.toString();
      long database = (long) open.invokeExact(options.address(), arena.allocateFrom(path).address(), error.address());
      RocksDbC.rocksdb_options_destroy(options);
      assertEquals(MemorySegment.NULL, error.get(ValueLayout.ADDRESS, 0));
      error.set(ValueLayout.JAVA_LONG, 0, -1);

      resume.invokeExact(CxxEngine.address(), database, error.address());

      assertEquals(MemorySegment.NULL, error.get(ValueLayout.ADDRESS, 0));
      RocksDbC.rocksdb_close(MemorySegment.ofAddress(database));
    }
  }

  private static MethodHandle link(String symbol, Class<?> result, Class<?>... parameters) {
    return Downcalls.link(symbol, MethodType.methodType(result, parameters));
  }
}
