/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.rows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.cli.arguments.Database;
import org.rocksdbffm.cli.arguments.Notations;
import org.rocksdbffm.cli.arguments.Operands;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.ProgressLine;
import org.rocksdbffm.cli.frame.RowPrinter;
import org.rocksdbffm.cli.inspect.Inspection;
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

  private final Operands ofA = new Operands(true);
  private final Operands ofB = new Operands(true);
  private boolean differ;
  private long done; // compared keys

  @Override
  protected ExitCode run(Output out) throws IOException {
    try (RocksDb a = Database.at(first).rows(null, ofA).openReadOnly();
        RocksDb b = Database.at(second).rows(null, ofB).openReadOnly();
        RowPrinter rows = out.rows("family", "key", "a", "b");
        ProgressLine progress =
            out.progressOfRows(
                () -> a.families().stream().mapToLong(each -> each.metrics().report().estimatedKeys()).sum())) {
      List<String> inA = a.families().stream().map(ColumnFamily::name).toList();
      List<String> inB = b.families().stream().map(ColumnFamily::name).toList();
      for (String name : Stream.of(inA, inB).flatMap(List::stream).distinct().sorted(Database.BY_NAME).toList()) {
        if (inA.contains(name) && inB.contains(name)) {
          compare(name, a.family(name), b.family(name), rows, progress);
        } else {
          differ = true;
          rows.row(name, null, inA.contains(name) ? "(family)" : null, inB.contains(name) ? "(family)" : null);
        }
      }
    }
    ExitCode code = Inspection.noted(Database.at(first), out, differ ? ExitCode.NO : ExitCode.DONE);
    return Inspection.noted(Database.at(second), out, code);
  }

  /** Reads both families in parallel, once, in their order. */
  private void compare(String name, ColumnFamily familyA, ColumnFamily familyB, RowPrinter rows,
      ProgressLine progress) {
    boolean isReverse = Database.at(first).isReverse(name);
    if (isReverse != Database.at(second).isReverse(name)) {
      throw new IllegalArgumentException("the column family '" + name + "' has another order in " + second
          + " than in " + first);
    }
    try (var a = familyA.scan(KeyRange.all());
        var b = familyB.scan(KeyRange.all())) {
      boolean hasA = a.next();
      boolean hasB = b.next();
      while (hasA || hasB) {
        progress.at(++done);
        int order = !hasA ? 1 : !hasB ? -1 : Arrays.compareUnsigned(a.keyBytes(), b.keyBytes()) * (isReverse ? -1 : 1);
        byte[] key = order <= 0 ? a.keyBytes() : b.keyBytes();
        byte[] valueA = order <= 0 ? a.valueBytes() : null;
        byte[] valueB = order >= 0 ? b.valueBytes() : null;
        Operands.Row unmergedA = order <= 0 ? ofA.take(key) : null;
        Operands.Row unmergedB = order >= 0 ? ofB.take(key) : null;
        if (!Arrays.equals(valueA, valueB) || !Objects.equals(unmergedA, unmergedB)) {
          differ = true;
          Object cellA = Operands.cell(unmergedA, valueA, notations.values());
          rows.row(name, notations.keys().cell(key), cellA, Operands.cell(unmergedB, valueB, notations.values()));
        }
        hasA = order <= 0 ? a.next() : hasA;
        hasB = order >= 0 ? b.next() : hasB;
      }
    }
  }
}
