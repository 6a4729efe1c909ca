/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.rows;

import java.io.IOException;
import java.util.Arrays;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.cli.arguments.FamilyArguments;
import org.rocksdbffm.cli.arguments.Notations;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.RowPrinter;
import org.rocksdbffm.cli.inspect.Inspection;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Reads, writes or deletes a row. */
public abstract class RowCommands extends Command {
  @Mixin FamilyArguments family;
  @Mixin Notations notations;

  @Parameters(index = "1", paramLabel = "KEY", description = "the key")
  private String key;

  final byte[] key() {
    return notations.keys().read(key);
  }

  /** Prints the value of a key. */
  @CommandLine.Command(name = "get", description = "Prints the value of a key; exit code 1 if there is none.")
  public static final class Get extends RowCommands {
    @Override
    protected ExitCode run(Output out) throws IOException {
      byte[] key = key();
      ExitCode code;
      try (RocksDb db = family.openReadOnly(notations.operands());
          RowPrinter rows = out.rows(withoutKey(notations.columns()))) {
        code = print(out, rows, key, family.in(db).get(key));
      } catch (RocksDbException e) {
        throw Inspection.failed(family.database(), e);
      }
      return Inspection.noted(family.database(), out, code);
    }

    private ExitCode print(Output out, RowPrinter rows, byte[] key, byte[] value) {
      if (value == null) {
        out.note("there is no key " + notations.keys().cell(key));
        return ExitCode.NO;
      }
      rows.row(withoutKey(notations.cells(key, value)));
      return ExitCode.DONE;
    }

    private static <T> T[] withoutKey(T[] row) {
      return Arrays.copyOfRange(row, 1, row.length);
    }
  }

  /** Writes a row. */
  @CommandLine.Command(name = "put", description = "Writes a row.")
  public static final class Put extends RowCommands {
    @Parameters(index = "2", paramLabel = "VALUE", description = "the value")
    private String value;

    @Override
    protected ExitCode run(Output out) {
      byte[] key = key();
      byte[] bytes = notations.values().read(value);
      try (RocksDb db = family.open()) {
        family.in(db).put(key, bytes);
      }
      return ExitCode.DONE;
    }
  }

  /** Deletes a row. */
  @CommandLine.Command(name = "delete", description = "Deletes a row; exit code 1 if there was none.")
  public static final class Delete extends RowCommands {
    @Override
    protected ExitCode run(Output out) {
      byte[] key = key();
      try (RocksDb db = family.open()) {
        boolean existed = family.in(db).contains(key);
        family.in(db).delete(key);
        if (!existed) {
          out.note("there was no key " + notations.keys().cell(key));
        }
        return existed ? ExitCode.DONE : ExitCode.NO;
      }
    }
  }
}
