/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.forgotten;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.RocksCallbackObject;
import org.rocksdb.RocksDB;
import org.rocksdbffm.compat.tools.ChildJvm;

/** Unclosed objects are reported with the code that created them, and their native memory is freed. */
class ForgottenTest {
  private static final long MOST_KIB = 32 << 10; // the allocator and the JVM may keep that much

  /** Classes that programs do not close, with the reason. */
  private static final Map<String, String> NOT_CLOSED =
      Map.of(
          "ColumnFamilyHandle", "its database has it in a list, and closes it",
          "NativeComparatorWrapper", "its subclass has a native comparator of its own",
          "PerfContext", "it lies in its thread's memory",
          "Snapshot", "it is borrowed of its database, and released by that",
          "RocksEnv", "it is borrowed: of the process, or of a database",
          "TablePropertiesCollectorFactory$2", "it is a view of the engine's own");

  @TempDir Path folder;

  @Test
  void eachClosableClassHasAMaker() throws Exception {
    try (Makers makers = new Makers(folder)) {
      TreeSet<String> made = new TreeSet<>(makers.all.keySet());
      made.addAll(NOT_CLOSED.keySet());
      assertEquals(closable(), List.copyOf(made));
    }
  }

  private static List<String> closable() throws IOException, URISyntaxException {
    Path place = Path.of(RocksDB.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(place)) {
      return closable(place.resolve("org/rocksdb"));
    }
    try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + place.toUri()), Map.of())) {
      return closable(jar.getPath("org/rocksdb"));
    }
  }

  private static List<String> closable(Path classes) throws IOException {
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .map(file -> "org.rocksdb" + file.toString().substring(classes.toString().length()).replace('/', '.'))
          .map(name -> type(name.substring(0, name.length() - ".class".length())))
          .filter(type -> AbstractNativeReference.class.isAssignableFrom(type))
          .filter(type -> !Modifier.isAbstract(type.getModifiers()) || isExtended(type))
          .map(type -> type.getName().substring(type.getPackageName().length() + 1))
          .sorted()
          .toList();
    }
  }

  /** Whether programs extend the class, and the engine calls it. */
  private static boolean isExtended(Class<?> type) {
    return RocksCallbackObject.class.isAssignableFrom(type) && type != RocksCallbackObject.class;
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName(name, false, RocksDB.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }

  @Test
  void eachIsReportedWithItsPlaceAndReclaimed() throws IOException {
    String output =
        ChildJvm.run(
            folder,
            ForgottenProgram.class,
            List.of("-Dorg.rocksdbffm.leaks=all", "-XX:+UseSerialGC", "-Xms256m", "-XX:+AlwaysPreTouch"));
    List<String> failures = new ArrayList<>();
    Map<String, Integer> types = new TreeMap<>();
    for (String line : output.lines().toList()) {
      String[] words = line.split(" ", 2);
      types.merge(words[0], 1, Integer::sum);
      boolean isGood =
          words[1].startsWith("reported as")
              || words[1].equals("made at Makers.java")
              || words[1].equals("reclaimed")
              || words[1].startsWith("grew by KiB ") && Long.parseLong(words[1].split(" ")[3]) < MOST_KIB
              || line.equals("open at the end {}");
      if (!isGood) {
        failures.add(line);
      }
    }
    assertEquals(List.of(), failures, output);
    assertTrue(types.size() > 50 && output.endsWith("open at the end {}\n"), output);
  }

  /** RocksDB's examples leave small objects unclosed. */
  @Test
  void smallObjectsAreReportedAtLevelAllOnlyAndNothingInQuietMode() throws IOException {
    String never = "RocksIterator was never closed; its memory has been freed.";
    String iterators = " | org.rocksdb.RocksDB.newIterator | org.rocksdbffm.compat.forgotten.IdiomsProgram.forget";
    List<String> sampled = logged("-Dorg.rocksdbffm.leaks=sampled");
    assertEquals(1, sampled.size(), sampled::toString);
    assertTrue(sampled.getFirst().startsWith("WARNING org.rocksdbffm " + never), sampled::toString);

    List<String> all = logged("-Dorg.rocksdbffm.leaks=all");
    assertTrue(all.contains("WARNING org.rocksdbffm " + never + " | RocksIterator was created here" + iterators),
        all::toString);
    List<String> others = all.stream().filter(line -> !line.contains("RocksIterator was never")).toList();
    assertTrue(others.stream().allMatch(line -> line.startsWith("INFO ")), all::toString);
    String flushed = " | org.rocksdb.FlushOptions.<init> | org.rocksdbffm.compat.forgotten.IdiomsProgram.useByIdioms";
    assertTrue(others.stream().anyMatch(line -> line.endsWith(flushed)), all::toString);

    assertEquals(List.of(), logged("-Dorg.rocksdbffm.leaks=off"));
    assertEquals(List.of(), logged("-Dorg.rocksdbffm.compat.options=quiet"));
  }

  private List<String> logged(String flag) throws IOException {
    Path folder = Files.createTempDirectory(this.folder, "idioms");
    List<String> lines = ChildJvm.run(folder, IdiomsProgram.class, List.of(flag, "-XX:+UseSerialGC")).lines().toList();
    assertEquals("all is reclaimed", lines.getLast(), lines::toString);
    return lines.subList(0, lines.size() - 1);
  }

  /** The method of each overload takes over the iterator; its other arguments are printed between. */
  private static final String TAKEN_OVER =
      "forgets RocksIterator\n((?:forgets \\w+\n)*calls WriteBatchWithIndex\\.newIteratorWithBase)";

  @Test
  void whatWasAnArgumentAndIsForgottenCrashesNothingAndIsReported() throws IOException {
    String step = "-Drocksdbffm.forgotten.step=" + (System.getProperty("rocksdbffm.sweep") == null ? 7 : 1);
    String output =
        ChildJvm.run(folder, ArgumentProgram.class, List.of("-Dorg.rocksdbffm.leaks=all", "-XX:+UseSerialGC", step));
    assertTrue(output.contains("left over nothing"), output);
    List<String> unreported =
        output
            .replaceAll(TAKEN_OVER, "$1")
            .lines()
            .filter(line -> line.startsWith("forgets ") && !output.contains(line.substring(8) + " was created here"))
            .distinct()
            .toList();
    assertEquals(List.of(), unreported, output);
  }
}
