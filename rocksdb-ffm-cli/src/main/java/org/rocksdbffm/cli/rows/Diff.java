/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.rows;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.cli.arguments.Database;
import org.rocksdbffm.cli.arguments.Notations;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.Table;

import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Compares the rows of two databases, family by family. */
@CommandLine.Command(name = "diff", description = "Compares the rows of two databases; exit code 1 if they differ.")
public final class Diff extends Command {
  @Mixin private Notations notations;

  @Parameters(index = "0", paramLabel = "A", description = "folder of a database")
  private Path first;

  @Parameters(index = "1", paramLabel = "B", description = "folder of another one")
  private Path second;

  private boolean differ;

  @Override
  protected ExitCode run(Output out) {
    try (RocksDb a = Database.at(first).openReadOnly();
        RocksDb b = Database.at(second).openReadOnly();
        Table rows = out.rows("family", "key", "a", "b")) {
      List<String> ofA = RocksDb.families(first);
      List<String> ofB = RocksDb.families(second);
      TreeSet<String> both = new TreeSet<>(ofA);
      both.addAll(ofB);
      for (String name : both) {
        if (ofA.contains(name) && ofB.contains(name)) {
          compare(name, a.family(name), b.family(name), rows);
        } else {
          differ = true;
          rows.row(name, null, ofA.contains(name) ? "(family)" : null, ofB.contains(name) ? "(family)" : null);
        }
      }
    }
    return differ ? ExitCode.NO : ExitCode.DONE;
  }

  /** Both are read once, side by side, in the order that they have. */
  private void compare(String name, ColumnFamily familyA, ColumnFamily familyB, Table rows) {
    boolean isReverse = isReverse(first, name);
    if (isReverse != isReverse(second, name)) {
      throw new IllegalArgumentException("the column family '" + name + "' has another order in " + second + " than in " + first);
    }
    try (var a = familyA.scan(KeyRange.all());
        var b = familyB.scan(KeyRange.all())) {
      boolean hasA = a.next();
      boolean hasB = b.next();
      while (hasA || hasB) {
        int order = !hasA ? 1 : !hasB ? -1 : Arrays.compareUnsigned(a.keyBytes(), b.keyBytes()) * (isReverse ? -1 : 1);
        byte[] valueA = order <= 0 ? a.valueBytes() : null;
        byte[] valueB = order >= 0 ? b.valueBytes() : null;
        if (!Arrays.equals(valueA, valueB)) {
          differ = true;
          byte[] key = order <= 0 ? a.keyBytes() : b.keyBytes();
          rows.row(name, notations.keys().cell(key), notations.values().cell(valueA), notations.values().cell(valueB));
        }
        hasA = order <= 0 ? a.next() : hasA;
        hasB = order >= 0 ? b.next() : hasB;
      }
    }
  }

  private static boolean isReverse(Path folder, String family) {
    String order = Database.at(folder).stored().families().getOrDefault(family, FamilyOptions.defaults()).settings().get("comparator");
    return order != null && order.contains(KeyOrder.REVERSE_BYTEWISE.id());
  }
}
