/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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

  /** The engine's classes whose objects the stubs call by a slot of an enum in {@code engine.h}. */
  private static List<String> classes(String slots, String constant) {
    return switch (slots) {
      case "FileSystemSlot" -> List.of("17FileSystemWrapper");
      case "DatabaseSlot" -> List.of("6DBImpl", "24PessimisticTransactionDB");
      case "TransactionSlot" -> List.of("17WriteCommittedTxn", "21OptimisticTransaction");
      case "BatchSlot" -> List.of("19WriteBatchWithIndex");
      case "IteratorSlot" ->
          constant.equals("kColumns") ? List.of("6DBIter", "17BaseDeltaIterator") : List.of("18ArenaWrappedDBIter");
      case "FamilySlot" -> List.of("22ColumnFamilyHandleImpl");
      default -> throw new AssertionError("no classes known for the slots of " + slots);
    };
  }

  @Test
  void theListHasEachSlotByWhichAStubCallsAVirtualFunction() throws IOException {
    Set<String> listed = new TreeSet<>();
    for (String row : Files.readAllLines(STUBS.resolve("cxx-symbols.txt"))) {
      if (row.startsWith("slot ")) {
        listed.add(row.substring(0, row.lastIndexOf(' ')));
      }
    }
    String engine = Files.readString(STUBS.resolve("src/engine.h"));
    Set<String> declared = new TreeSet<>();
    Set<String> missing = new TreeSet<>();
    for (MatchResult slots : Pattern.compile("enum (\\w+Slot) \\{([^}]*)}").matcher(engine).results().toList()) {
      for (MatchResult slot : Pattern.compile("(k\\w+) = (\\d+)").matcher(slots.group(2)).results().toList()) {
        declared.add(slot.group(1));
        if (!slot.group(1).equals("kFileSystemSlots")) { // their number
          classes(slots.group(1), slot.group(1))
              .forEach(type -> missing.add("slot _ZTVN7rocksdb" + type + "E " + slot.group(2)));
        }
      }
    }
    missing.removeAll(listed);
    assertEquals(Set.of(), missing);

    Set<String> unknown = new TreeSet<>();
    for (String source : sources()) {
      Pattern.compile("virtual_function<.*>\\(\\w+, (?:rocksdb_ffm::)?(\\w+)\\)").matcher(source).results()
          .map(use -> use.group(1))
          .filter(slot -> !declared.contains(slot) && !source.contains("int " + slot + " = "))
          .forEach(unknown::add);
    }
    assertEquals(Set.of(), unknown, "slots that no enum of engine.h declares");
  }

  @Test
  void theListHasEachVirtualFunctionThatAStubCallsByName() throws IOException {
    String list = Files.readString(STUBS.resolve("cxx-symbols.txt"));
    Set<String> called = new TreeSet<>();
    for (String source : sources()) {
      Pattern.compile("->([A-Z]\\w+)\\(").matcher(source).results().forEach(use -> called.add(use.group(1)));
    }
    assertTrue(called.containsAll(Set.of("Resume", "Next", "Seek")), called.toString());
    called.removeIf(name -> Pattern.compile("\nslot \\S+ \\d+ _ZNK?7rocksdb\\d+\\w+?" + name.length() + name + "E")
        .matcher(list).find());
    assertEquals(Set.of(), called);
  }

  private static List<String> sources() throws IOException {
    List<String> sources = new ArrayList<>();
    try (Stream<Path> files = Files.list(STUBS.resolve("src"))) {
      for (Path file : files.filter(file -> file.toString().endsWith(".cc")).toList()) {
        sources.add(Files.readString(file));
      }
    }
    return sources;
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
