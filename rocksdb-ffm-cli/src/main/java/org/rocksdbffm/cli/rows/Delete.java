/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.rows;

import org.rocksdbffm.RocksDb;
import org.rocksdbffm.cli.arguments.Family;
import org.rocksdbffm.cli.arguments.Notations;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Deletes a row. */
@CommandLine.Command(name = "delete", description = "Deletes a row; exit code 1 if there was none.")
public final class Delete extends Command {
  @Mixin private Family family;
  @Mixin private Notations notations;

  @Parameters(index = "1", paramLabel = "KEY", description = "the key")
  private String key;

  @Override
  protected ExitCode run(Output out) {
    byte[] bytes = notations.keys().read(key);
    try (RocksDb db = family.open()) {
      boolean existed = family.in(db).contains(bytes);
      family.in(db).delete(bytes);
      return existed ? ExitCode.DONE : ExitCode.NO;
    }
  }
}
