/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the ranges in the tables of arguments contain no value that the tables of options check. */
final class PlainRangeTest {
  private static final Path TABLES = Path.of("src/main/routes");
  private static final Pattern RANGE =
      Pattern.compile("=(?:option|now):(\\w+):([\\w.]+):(-?\\d*\\.\\.-?\\d*)(?=\\s|$)");

  private record Row(String scope, String name, Interval range) {}

  @Test
  void noValueInARangeIsNotable() throws IOException {
    List<Row> rows = rows();
    assertTrue(rows.size() >= 9, rows.toString());
    for (Row row : rows) {
      LongStream.concat(LongStream.of(row.range.least(), row.range.most()), powersOfTwo())
          .filter(row.range::has)
          .forEach(value ->
              assertFalse(
                  Judge.isNotable(row.scope, row.name, Long.toString(value)), row.scope + ":" + row.name + "="
                  + value));
    }
  }

  private static LongStream powersOfTwo() {
    return LongStream.range(0, 63).map(bit -> 1L << bit)
        .flatMap(power -> LongStream.of(power - 1, power, power + 1, -power));
  }

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    try (Stream<Path> files = Files.list(TABLES)) {
      for (Path file : files.filter(its -> its.toString().endsWith(".arguments")).toList()) {
        Matcher found = RANGE.matcher(Files.readString(file));
        while (found.find()) {
          rows.add(new Row(found.group(1), found.group(2), Interval.of(found.group(3))));
        }
      }
    }
    return rows;
  }
}
