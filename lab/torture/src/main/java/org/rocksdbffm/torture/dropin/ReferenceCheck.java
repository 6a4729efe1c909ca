/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin;

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
import org.rocksdbffm.torture.dropin.calls.ReferenceModel;
import org.rocksdbffm.torture.dropin.steps.CallStep;
import org.rocksdbffm.torture.dropin.steps.StepLog;

/** Opens the reference databases of an ended child with this library's API, and compares them with the model. */
final class ReferenceCheck {
  private ReferenceCheck() {}

  /** Returns the first difference from the model; null if none. */
  static String look(Path folder, Ending ending) {
    List<String> log = ending.log();
    if (log.stream().noneMatch(line -> line.startsWith(StepLog.CASE) || line.startsWith(StepLog.OUTCOME))) {
      return null; // the child ended before the initial entries were complete
    }
    ReferenceModel model = new ReferenceModel();
    log.stream()
        .filter(line -> line.startsWith(StepLog.WROTE))
        .forEach(line -> model.apply(CallStep.parse(line.substring(StepLog.WROTE.length()))));
    Set<String> unsure = new HashSet<>(ReferenceModel.keys());
    unsure.removeIf(key -> ending.unfinished().stream().noneMatch(step -> ReferenceModel.isWithin(step, key)));
    try {
      return look(folder, model, unsure);
    } catch (RocksDbException e) {
      return "WRONG afterwards: a reference database cannot be read: " + e.getMessage();
    }
  }

  private static String look(Path folder, ReferenceModel model, Set<String> unsure) {
    for (int database = 0; database < ReferenceModel.DATABASES.size(); database++) {
      Path path = folder.resolve(ReferenceModel.DATABASES.get(database));
      try (RocksDb db = RocksDb.open(Files.isDirectory(path) ? path : folder)) {
        for (int family = 0; family < ReferenceModel.FAMILIES.size(); family++) {
          Map<String, String> rows = family == 0 ? rows(db) : rows(db.family(ReferenceModel.FAMILIES.get(family)));
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
