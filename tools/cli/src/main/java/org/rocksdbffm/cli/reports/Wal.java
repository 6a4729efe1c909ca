/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.reports;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.cli.arguments.Database;
import org.rocksdbffm.cli.arguments.Notations;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.ProgressLine;
import org.rocksdbffm.cli.frame.RowPrinter;
import org.rocksdbffm.cli.inspect.DamagedFile;
import org.rocksdbffm.cli.inspect.Inspection;
import org.rocksdbffm.internal.folder.Manifest;
import org.rocksdbffm.internal.format.BatchRecords;
import org.rocksdbffm.internal.format.Fields;
import org.rocksdbffm.internal.format.LogRecords;
import org.rocksdbffm.internal.format.RecordKind;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the WAL. Reads the files without the engine, so the database may be open in another process. */
@CommandLine.Command(name = "wal",
    description = "Prints what is in the write-ahead log: number, operation, family, key and value.")
public final class Wal extends Command {
  @Mixin private Notations notations;

  @Mixin private Database database;

  @Option(names = "--since", paramLabel = "SEQUENCE", description = "number of the first write")
  private long since;

  @Option(names = "--files", description = "a row for each file of the log")
  private boolean files;

  @Option(names = {"-n", "--limit"}, paramLabel = "ROWS", description = "at most so many")
  private long limit = Long.MAX_VALUE;

  private long last; // the sequence number of the last write that was read
  private long writes;

  /** Ends reading a file. */
  private static final class Enough extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Override
  protected ExitCode run(Output out) throws IOException {
    List<Path> all = database.logFiles();
    if (files) {
      printFiles(out, all);
    } else {
      Map<Integer, String> families = Manifest.familyNames(database.folder());
      try (RowPrinter rows = out.rows("sequence", "operation", "family", "key", "value");
          ProgressLine progress = out.progressOfRows(() -> 0)) {
        all.forEach(file -> read(file, (sequence, record) -> {
          progress.at(writes);
          print(rows, families, sequence, record);
        }));
      } catch (Enough e) {
        return ExitCode.DONE;
      }
    }
    List<DamagedFile> damages = Inspection.of(database).ofLogs();
    damages.forEach(damage -> out.note(damage.sentence()));
    return damages.isEmpty() ? ExitCode.DONE : ExitCode.NO;
  }

  private interface Visitor {
    void visit(long sequence, BatchRecords record);
  }

  private void read(Path file, Visitor visitor) {
    try {
      LogRecords.read(file, Database.number(file), (bytes, from, length) -> {
        long sequence = new Fields(bytes, from, length).fixedLong();
        BatchRecords records = new BatchRecords(MemorySegment.ofArray(bytes).asSlice(from, length));
        while (records.next()) {
          visitor.visit(sequence, records);
          if (records.kind().isWrite()) {
            last = sequence++;
            writes++;
          }
        }
      });
    } catch (NoSuchFileException deleted) {
      return; // deleted, because its rows were flushed
    } catch (Fields.Unreadable e) {
      throw new IllegalStateException(file + " cannot be read to its end: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void print(RowPrinter rows, Map<Integer, String> families, long sequence, BatchRecords record) {
    if (sequence < since) {
      return;
    }
    if (limit-- <= 0) {
      throw new Enough();
    }
    RecordKind kind = record.kind();
    rows.row(
        sequence,
        kind.name().toLowerCase(Locale.ROOT),
        kind.isWrite() ? families.getOrDefault(record.family(), Integer.toString(record.family())) : null,
        kind.strings() > 0 ? notations.keys().cell(record.string(0)) : null,
        kind.strings() > 1 ? value(kind, record.string(1)) : null);
  }

  private Object value(RecordKind kind, byte[] bytes) {
    return (kind == RecordKind.DELETE_RANGE ? notations.keys() : notations.values()).cell(bytes);
  }

  private void printFiles(Output out, List<Path> all) throws IOException {
    int done = 0;
    try (RowPrinter table = out.table("file", "size", "writes", "first", "last");
        ProgressLine progress = out.progress(all.size())) {
      for (Path file : all) {
        long[] first = {-1};
        progress.at(++done);
        writes = 0;
        read(file, (sequence, record) -> first[0] = first[0] < 0 ? sequence : first[0]);
        boolean has = first[0] >= 0;
        table.row(file.getFileName(), ByteSize.bytes(Files.size(file)), writes, has ? first[0] : null, has ? last
            : null);
      }
    }
  }
}
