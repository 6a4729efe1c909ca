/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.misuse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * A hostile program: closes objects in wrong orders through {@code org.rocksdb}, and continues to use them. Runs all
 * cases, or the cases in the arguments, in a separate JVM, and prints how each ended. The drop-in and rocksdbjni run
 * the same cases.
 */
final class WrongOrders {
  private WrongOrders() {}

  /** Does something wrong in a separate folder. */
  interface Case {
    void run(Path folder) throws Exception;
  }

  /** Returns all cases by name. */
  static Map<String, Case> cases() {
    Map<String, Case> all = new LinkedHashMap<>();
    DatabaseWrongOrders.addTo(all);
    PartWrongOrders.addTo(all);
    TransactionWrongOrders.addTo(all);
    IndexedBatchWrongOrders.addTo(all);
    FileWrongOrders.addTo(all);
    RacingWrongOrders.addTo(all);
    return all;
  }

  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    List<String> named = List.of(arguments);
    for (var its : cases().entrySet()) {
      if (named.isEmpty() || named.contains(its.getKey())) {
        System.out.println(its.getKey() + ": " + outcome(its.getValue()));
      }
    }
  }

  /** Returns whether a case worked, or the exception that rejected it; any other end fails. */
  private static String outcome(Case its) throws IOException {
    Path folder = Files.createTempDirectory("wrong-order");
    try {
      its.run(folder);
      return "works";
    } catch (IllegalStateException | RocksDBException | AssertionError refused) {
      return "refused, " + refused;
    } catch (Throwable e) {
      e.printStackTrace(System.out);
      return "failed";
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }
}
