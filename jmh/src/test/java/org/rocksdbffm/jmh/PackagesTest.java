/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that packages use each other in one direction, in this module and in the modules that are built before it.
 * Reads compiled classes, so names without an import count too.
 */
class PackagesTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern TYPE = Pattern.compile("L(org/rocksdbffm/[\\w/$]+)[;<]");
  private static final int MOST_FILES = 20;

  /**
   * Exceptions and sizes, which use no other class of the library; and the classes whose names the relinker writes into
   * every class.
   */
  private static final Set<String> NOT_COUNTED =
      Set.of(
          "org.rocksdbffm.ByteSize",
          "org.rocksdbffm.PinLimitException",
          "org.rocksdbffm.RocksDbException",
          "org.rocksdbffm.compat.jni.Bootstrap",
          "org.rocksdbffm.compat.jni.SharedDowncalls");

  /**
   * Of main code: the public and the generated package; the relinker and the drop-in's guards, whose classes share one
   * state; and the drop-in's options, a class for each of upstream's classes of options.
   */
  private static final Set<String> MAY_BE_LARGER =
      Set.of(
          "org.rocksdbffm",
          "org.rocksdbffm.internal.c",
          "org.rocksdbffm.relinker",
          "org.rocksdbffm.compat.lifetime",
          "org.rocksdbffm.compat.options");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rocksdb-ffm/target/classes",
        "rocksdb-ffm/target/test-classes",
        "lab/torture/target/classes",
        "rocksdb-ffm-compat/target/classes",
        "rocksdb-ffm-compat/target/test-classes",
        "rocksdb-ffm-compat/relinker/target/classes",
        "rocksdb-ffm-netty/target/classes",
        "tools/cli/target/classes",
        "rocksdb-ffm-flink/target/classes",
        "rocksdb-ffm-metrics/target/classes",
        "tools/server/target/classes",
        "tools/server/target/test-classes",
        "examples/target/classes",
        "examples/target/test-classes",
        "jmh/target/classes",
        "jmh/target/test-classes"
      })
  void noPackagesUseEachOther(String folder) throws IOException {
    assumeTrue(Files.exists(ROOT.resolve(folder)), "this build is of other modules");
    Map<String, Set<String>> uses = new TreeMap<>();
    Map<String, Set<String>> files = new TreeMap<>();
    List<ClassModel> types = classesIn(ROOT.resolve(folder));
    types.forEach(type -> files.computeIfAbsent(packageOf(nameOf(type)), _ -> new TreeSet<>()).add(nameOf(type)));
    for (ClassModel type : types) {
      Set<String> used = uses.computeIfAbsent(packageOf(nameOf(type)), _ -> new TreeSet<>());
      typesNamedBy(type).stream()
          .filter(name -> !NOT_COUNTED.contains(name) && files.getOrDefault(packageOf(name), Set.of()).contains(name))
          .forEach(name -> used.add(packageOf(name)));
    }
    assertTrue(!files.isEmpty(), folder);
    Map<String, Set<String>> circles = new TreeMap<>();
    for (String from : files.keySet()) {
      for (String to : reachable(from, uses)) {
        if (!to.equals(from) && reachable(to, uses).contains(from)) {
          circles.computeIfAbsent(from, _ -> new TreeSet<>()).add(to);
        }
      }
    }
    assertEquals(Map.of(), circles, "packages that reach each other");
    if (folder.endsWith("/classes")) {
      files.keySet().removeAll(MAY_BE_LARGER);
    }
    files.values().removeIf(each -> each.size() <= MOST_FILES);
    assertEquals(Map.of(), files, "packages of more than " + MOST_FILES + " files");
  }

  private static Set<String> reachable(String from, Map<String, Set<String>> uses) {
    Set<String> reached = new HashSet<>();
    Set<String> next = Set.of(from);
    while (!next.isEmpty()) {
      Set<String> more = new HashSet<>();
      next.forEach(each -> more.addAll(uses.getOrDefault(each, Set.of())));
      more.removeAll(reached);
      reached.addAll(more);
      next = more;
    }
    return reached;
  }

  private static List<ClassModel> classesIn(Path folder) throws IOException {
    try (Stream<Path> walk = Files.walk(folder)) {
      return walk.filter(file -> file.toString().endsWith(".class") && !file.endsWith("module-info.class"))
          .filter(file -> !file.endsWith("package-info.class") && !file.toString().contains("/jmh_generated/"))
          .filter(file -> folder.relativize(file).startsWith("org/rocksdbffm"))
          .map(PackagesTest::parse)
          .toList();
    }
  }

  private static ClassModel parse(Path file) {
    try {
      return ClassFile.of().parse(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> typesNamedBy(ClassModel type) {
    Set<String> names = new TreeSet<>();
    for (PoolEntry entry : type.constantPool()) {
      if (entry instanceof ClassEntry other && other.asInternalName().startsWith("org/rocksdbffm/")) {
        names.add(topLevel(other.asInternalName()));
      } else if (entry instanceof Utf8Entry text) {
        Matcher types = TYPE.matcher(text.stringValue());
        while (types.find()) {
          names.add(topLevel(types.group(1)));
        }
      }
    }
    return names;
  }

  private static String nameOf(ClassModel type) {
    return topLevel(type.thisClass().asInternalName());
  }

  private static String topLevel(String internalName) {
    return internalName.replace('/', '.').replaceAll("\\$.*", "");
  }

  private static String packageOf(String name) {
    return name.substring(0, name.lastIndexOf('.'));
  }
}
