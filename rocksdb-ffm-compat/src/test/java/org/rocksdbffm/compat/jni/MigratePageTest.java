/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that the page for programs which move to the core has every method of upstream that is more than a setting. */
class MigratePageTest {
  private static final Path PAGE = Path.of("../docs/migrate.md");
  private static final Pattern CODE = Pattern.compile("`[^`]+`");
  private static final Pattern NAME = Pattern.compile("\\w+");

  /** The classes of objects that a program uses after it has opened a database. */
  private static final Set<String> USED =
      Set.of(
          "RocksDB", "TtlDB", "TransactionDB", "OptimisticTransactionDB", "Transaction", "WriteBatch",
          "WriteBatchWithIndex",
          "WriteBatchInterface", "WBWIRocksIterator", "RocksIterator", "RocksIteratorInterface", "Snapshot",
          "BackupEngine",
          "ColumnFamilyHandle", "Checkpoint", "SstFileWriter", "SstFileManager", "Statistics", "MemoryUtil",
          "OptionsUtil",
          "TransactionLogIterator", "RateLimiter", "Cache", "Env");

  /** Members of every object, and methods whose row says the name of their class or of another method of the class. */
  private static final Set<String> IMPLIED =
      Set.of(
          "close", "equals", "hashCode", "toString", "status", "isValid", "next", "open", "getWriteBatch", "getDefault",
          "statsLevel", "setStatsLevel", "request", "getSingleBurstBytes", "getBytesPerSecond", "isDeadlockDetect",
          "getDeleteRateBytesPerSecond", "getMaxTrashDBRatio", "isMaxAllowedSpaceReachedIncludingCompactions",
          "setCompactionBufferSize");

  @Test
  void everyMethodOfAnObjectThatProgramsUseIsOnThePage() throws IOException {
    Set<String> named = new TreeSet<>();
    CODE.matcher(Files.readString(PAGE)).results()
        .forEach(code -> NAME.matcher(code.group()).results().forEach(name -> named.add(name.group())));
    Set<String> used = new TreeSet<>();
    List<String> missing = new ArrayList<>();
    for (ClassModel type : upstream()) {
      String simple = type.thisClass().asInternalName().replace("org/rocksdb/", "");
      if (USED.contains(simple)) {
        used.add(simple);
        methods(type).stream()
            .filter(method -> !IMPLIED.contains(method) && !named.contains(method))
            .forEach(method -> missing.add(simple + "." + method));
      }
    }
    assertEquals(USED, used);
    assertEquals(List.of(), missing);
  }

  private static Set<String> methods(ClassModel type) {
    return type.methods().stream()
        .filter(method -> method.flags().has(AccessFlag.PUBLIC) && !method.flags().has(AccessFlag.SYNTHETIC))
        .map(method -> method.methodName().stringValue())
        .filter(method -> !method.startsWith("<"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<ClassModel> upstream() throws IOException {
    List<ClassModel> types = new ArrayList<>();
    try (JarFile jar = new JarFile(System.getProperty("rocksdbjni.jar"))) {
      for (var entry : jar.stream().filter(file -> file.getName().matches("org/rocksdb/\\w+\\.class")).toList()) {
        types.add(ClassFile.of().parse(jar.getInputStream(entry).readAllBytes()));
      }
    }
    assertTrue(types.size() > 150, types.size() + " classes");
    return types;
  }
}
