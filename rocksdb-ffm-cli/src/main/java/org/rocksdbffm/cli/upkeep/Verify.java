/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.upkeep;

import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.cli.arguments.Database;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.Table;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** Reads all blocks of all tables, and compares their checksums. */
@CommandLine.Command(
    name = "verify",
    description = "Reads all blocks of all tables, and compares their checksums; exit code 1 if one is damaged.")
public final class Verify extends Command {
  @Mixin private Database database;

  @Override
  protected ExitCode run(Output out) {
    try (Table table = out.table("files", "damage")) {
      try (RocksDb db = database.tables(null).openReadOnly()) {
        int files = db.files().live().size();
        db.files().verifyChecksums();
        table.row(files, null);
        return ExitCode.DONE;
      } catch (RocksDbException e) {
        if (e.code() != RocksDbException.Code.CORRUPTION) {
          throw e;
        }
        table.row(null, e.getMessage());
        return ExitCode.NO;
      }
    }
  }
}
