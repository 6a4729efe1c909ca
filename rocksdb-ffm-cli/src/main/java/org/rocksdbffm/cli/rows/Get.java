/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.rows;

import java.util.Arrays;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.cli.arguments.Family;
import org.rocksdbffm.cli.arguments.Notations;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.Table;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Prints the value of a key. */
@CommandLine.Command(name = "get", description = "Prints the value of a key; exit code 1 if there is none.")
public final class Get extends Command {
  @Mixin private Family family;
  @Mixin private Notations notations;

  @Parameters(index = "1", paramLabel = "KEY", description = "the key")
  private String key;

  @Override
  protected ExitCode run(Output out) {
    byte[] bytes = notations.keys().read(key);
    try (RocksDb db = family.openReadOnly(notations.operands());
        Table rows = out.rows(withoutKey(notations.columns()))) {
      byte[] value = family.in(db).get(bytes);
      if (value == null) {
        return ExitCode.NO;
      }
      rows.row(withoutKey(notations.cells(bytes, value)));
      return ExitCode.DONE;
    }
  }

  private static <T> T[] withoutKey(T[] row) {
    return Arrays.copyOfRange(row, 1, row.length);
  }
}
