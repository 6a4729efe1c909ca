/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rocksdb.RocksDB;

/** The two libraries on which a program runs. */
public enum Turn {
  /** rocksdbjni: the class path that Maven resolves. */
  ROCKSDBJNI {
    @Override
    String classPath(List<String> resolved) {
      return String.join(File.pathSeparator, resolved);
    }
  },

  /** The drop-in: the same class path, with the drop-in's jars instead of rocksdbjni. */
  DROP_IN {
    @Override
    String classPath(List<String> resolved) throws IOException {
      String jars;
      try (Stream<Path> found = Files.list(Path.of(System.getProperty("drop.in")))) {
        jars = found.map(Path::toString).sorted().collect(Collectors.joining(File.pathSeparator));
      }
      return resolved.stream().map(jar -> isRocksdbjni(jar) ? jars : jar)
          .collect(Collectors.joining(File.pathSeparator));
    }
  };

  abstract String classPath(List<String> resolved) throws IOException;

  /** Returns this library's class path, made from a class path with one rocksdbjni. */
  public final String of(String resolved) throws IOException {
    version(resolved);
    return classPath(jars(resolved));
  }

  /** Throws unless the program uses only the drop-in, by the location of its classes and the class path. */
  public static void requireDropIn() {
    String source = RocksDB.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    if (!source.contains("rocksdb-ffm-compat") || System.getProperty("java.class.path").contains("rocksdbjni")) {
      throw new IllegalStateException("not on the drop-in alone: " + source);
    }
  }

  /** Returns the version of rocksdbjni on a class path. */
  static String version(String resolved) {
    List<String> found = jars(resolved).stream().filter(Turn::isRocksdbjni).toList();
    if (found.size() != 1) {
      throw new IllegalArgumentException("not one rocksdbjni on " + resolved);
    }
    return file(found.getFirst()).replaceAll("f?rocksdbjni-|\\.jar", "");
  }

  private static List<String> jars(String resolved) {
    return Arrays.asList(resolved.split(File.pathSeparator));
  }

  private static boolean isRocksdbjni(String jar) {
    return file(jar).matches("f?rocksdbjni-.*\\.jar");
  }

  private static String file(String jar) {
    return Path.of(jar).getFileName().toString();
  }
}
