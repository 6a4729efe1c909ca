/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.rows;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.cli.arguments.FamilyArguments;
import org.rocksdbffm.cli.frame.ByteNotation;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.ProgressLine;
import org.rocksdbffm.cli.frame.RowPrinter;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes rows that were printed by {@code dump} or {@code ldb dump --hex}. */
@CommandLine.Command(name = "load", description = "Writes the rows that 'dump' has printed, or 'ldb dump --hex'.")
public final class Load extends Command {
  private static final long BATCH = 1 << 20;
  private static final String LAST_LINE = "Keys in range:"; // printed by ldb

  @Mixin private FamilyArguments family;

  @Parameters(index = "1", paramLabel = "FILE", description = "output of dump; - is standard input")
  private String file;

  @Option(names = "--create", description = "create the database, which must not exist")
  private boolean create;

  private long rows;

  @Override
  protected ExitCode run(Output out) throws IOException {
    if (Files.isDirectory(Path.of(file))) {
      throw new IllegalArgumentException(file + " is a folder: name a file of rows");
    }
    try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file));
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        ProgressLine progress = out.progress(0)) {
      if (create) {
        family.create(db -> load(lines, family.in(db), progress));
      } else {
        try (RocksDb db = family.open()) {
          load(lines, family.in(db), progress);
        }
      }
    }
    try (RowPrinter table = out.table("rows")) {
      table.row(rows);
    }
    return ExitCode.DONE;
  }

  private void load(BufferedReader lines, ColumnFamily space, ProgressLine progress) throws IOException {
    WriteBatch batch = new WriteBatch();
    long number = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      number++;
      if (!line.isBlank() && !line.startsWith(LAST_LINE)) {
        add(line, number, space, batch);
        progress.at(++rows);
      }
      if (batch.size().bytes() > BATCH) {
        space.write(batch);
        batch.clear();
      }
    }
    space.write(batch);
  }

  private void add(String line, long number, ColumnFamily space, WriteBatch batch) {
    int arrow = line.indexOf(Dump.ARROW);
    if (arrow < 0 || !line.startsWith("0x") || !line.startsWith("0x", arrow + Dump.ARROW.length())) {
      throw new IllegalArgumentException(file + ", line " + number + ": it must be 0xKEY ==> 0xVALUE"
          + (create ? "" : "; the lines before may be loaded"));
    }
    byte[] key = ByteNotation.HEX.read(line.substring(0, arrow));
    batch.in(space).put(key, ByteNotation.HEX.read(line.substring(arrow + Dump.ARROW.length())));
  }
}
