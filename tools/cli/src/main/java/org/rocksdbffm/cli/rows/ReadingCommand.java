/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.rows;

import java.io.IOException;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.cli.arguments.FamilyArguments;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.inspect.Inspection;
import picocli.CommandLine.Mixin;

/** Reads rows of a family. Reports damage, because the engine may silently ignore writes after damage in the WAL. */
abstract class ReadingCommand extends Command {
  @Mixin FamilyArguments family;

  @Override
  protected final ExitCode run(Output out) throws IOException {
    ExitCode code;
    try {
      code = read(out);
    } catch (RocksDbException e) {
      throw Inspection.failed(family.database(), e);
    }
    return Inspection.noted(family.database(), out, code);
  }

  abstract ExitCode read(Output out) throws IOException;
}
