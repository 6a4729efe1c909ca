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

/** Writes a row. */
@CommandLine.Command(name = "put", description = "Writes a row.")
public final class Put extends Command {
  @Mixin private Family family;
  @Mixin private Notations notations;

  @Parameters(index = "1", paramLabel = "KEY", description = "the key")
  private String key;

  @Parameters(index = "2", paramLabel = "VALUE", description = "the value")
  private String value;

  @Override
  protected ExitCode run(Output out) {
    byte[] bytes = notations.keys().read(key);
    byte[] its = notations.values().read(value);
    try (RocksDb db = family.open()) {
      family.in(db).put(bytes, its);
    }
    return ExitCode.DONE;
  }
}
