/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.rows;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Row;
import org.rocksdbffm.cli.arguments.Operands;
import org.rocksdbffm.cli.frame.ByteNotation;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.ProgressLine;
import org.rocksdbffm.cli.frame.RowPrinter;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Prints the prefixes with the largest rows in total. */
@CommandLine.Command(name = "bigkeys",
    description = "Prints the prefixes whose rows have most bytes, before compression.")
public final class BigKeys extends ReadingCommand {
  private static final int MOST = 100_000;
  private static final String OTHERS = "(others)";


  @Option(names = {"-k", "--key"}, description = "notation of keys: ${COMPLETION-CANDIDATES} (default: text)")
  private ByteNotation notation = ByteNotation.TEXT;

  @Option(names = {"-s", "--separators"}, description = "characters that end a prefix (default: ${DEFAULT-VALUE})")
  private String separators = ":/|.-_ ";

  @Option(names = {"-l", "--length"},
      description = "of the prefix, where no separator ends it (default: ${DEFAULT-VALUE})")
  private int length = 4;

  @Option(names = {"-n", "--limit"}, description = "at most so many prefixes (default: ${DEFAULT-VALUE})")
  private int limit = 20;

  private static final class Sum {
    private final Object prefix;
    private long rows;
    private long bytes;
    private long largest;

    private Sum(Object prefix) {
      this.prefix = prefix;
    }

    private void add(Row row) {
      long size = row.keySize() + row.valueSize();
      rows++;
      bytes += size;
      largest = Math.max(largest, size);
    }
  }

  @Override
  ExitCode read(Output out) {
    if (length < 0 || limit < 0) {
      throw new IllegalArgumentException("--length " + length + ", --limit " + limit + ": neither may be negative");
    }
    Map<ByteBuffer, Sum> sums = new HashMap<>();
    Sum others = new Sum(OTHERS); // the rows of prefixes beyond the memory limit
    try (RocksDb db = family.openReadOnly(new Operands(false));
        var scan = family.rows(db).scan(KeyRange.all());
        ProgressLine progress = out.progress(() -> family.estimatedKeys(db))) {
      for (long rows = 1; scan.next(); rows++) {
        progress.at(rows);
        ByteBuffer prefix = ByteBuffer.wrap(prefix(scan.keyBytes()));
        (sums.size() < MOST ? sums.computeIfAbsent(prefix, this::sum) : sums.getOrDefault(prefix, others)).add(scan);
      }
    }
    List<Sum> all = new ArrayList<>(sums.values());
    if (others.rows > 0) {
      all.add(others);
    }
    print(out, all);
    return ExitCode.DONE;
  }

  private Sum sum(ByteBuffer prefix) {
    return new Sum(notation.cell(prefix.array()));
  }

  private void print(Output out, List<Sum> sums) {
    double all = sums.stream().mapToLong(sum -> sum.bytes).sum();
    try (RowPrinter table = out.table("prefix", "rows", "bytes", "average", "largest", "share")) {
      sums.stream()
          .sorted(Comparator.comparingLong((Sum sum) -> sum.bytes).reversed())
          .limit(limit)
          .forEach(sum -> table.row(
              sum.prefix,
              sum.rows,
              ByteSize.bytes(sum.bytes),
              ByteSize.bytes(sum.bytes / sum.rows),
              ByteSize.bytes(sum.largest),
              new RowPrinter.Bar(sum.bytes / all)));
    }
  }

  private byte[] prefix(byte[] key) {
    int end = 0;
    while (end < key.length && separators.indexOf(key[end] & 0xff) < 0) {
      end++;
    }
    return Arrays.copyOf(key, end < key.length ? end + 1 : Math.min(length, key.length));
  }
}
