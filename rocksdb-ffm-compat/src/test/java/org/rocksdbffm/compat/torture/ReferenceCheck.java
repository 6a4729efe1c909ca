/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.torture;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Scan;
import org.rocksdbffm.compat.torture.calls.Model;
import org.rocksdbffm.compat.torture.steps.Step;
import org.rocksdbffm.compat.torture.steps.StepLog;

/** Opens the reference databases of an ended child with this library's API, and compares them with the model. */
final class ReferenceCheck {
  private ReferenceCheck() {}

  /** Returns the first difference from the model; null if none. */
  static String look(Path folder, Ending ending) {
    List<String> log = ending.log();
    if (log.stream().noneMatch(line -> line.startsWith(StepLog.CASE) || line.startsWith(StepLog.OUTCOME))) {
      return null; // the child ended before the initial entries were complete
    }
    Model model = new Model();
    log.stream()
        .filter(line -> line.startsWith(StepLog.WROTE))
        .forEach(line -> model.apply(Step.parse(line.substring(StepLog.WROTE.length()))));
    Set<String> unsure = new HashSet<>(Model.keys());
    unsure.removeIf(key -> ending.unfinished().stream().noneMatch(step -> Model.isWithin(step, key)));
    try {
      return look(folder, model, unsure);
    } catch (RocksDbException e) {
      return "WRONG afterwards: a reference database cannot be read: " + e.getMessage();
    }
  }

  private static String look(Path folder, Model model, Set<String> unsure) {
    for (int database = 0; database < Model.DATABASES.size(); database++) {
      Path its = folder.resolve(Model.DATABASES.get(database));
      try (RocksDb db = RocksDb.open(Files.isDirectory(its) ? its : folder)) {
        for (int family = 0; family < Model.FAMILIES.size(); family++) {
          Map<String, String> rows = family == 0 ? rows(db) : rows(db.family(Model.FAMILIES.get(family)));
          Map<String, String> expected = new TreeMap<>(model.rows(database, family));
          rows.keySet().removeAll(unsure);
          expected.keySet().removeAll(unsure);
          if (!rows.equals(expected)) {
            return "WRONG afterwards: family %d of reference %d has %s instead of %s"
                .formatted(family, database, rows, expected);
          }
        }
      }
    }
    return null;
  }

  private static Map<String, String> rows(KeySpace space) {
    Map<String, String> rows = new TreeMap<>();
    try (Scan scan = space.scan(KeyRange.all())) {
      while (scan.next()) {
        rows.put(
            new String(scan.keyBytes(), StandardCharsets.UTF_8), new String(scan.valueBytes(), StandardCharsets.UTF_8));
      }
    }
    return rows;
  }
}
