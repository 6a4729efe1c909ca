/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdb.RocksDBException;

/** Rows are read, written, copied and compared. */
class RowsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void getPrintsTheValueOfAKey(SampleWriter writer) throws RocksDBException {
    writer.write(folder);
    assertEquals(List.of("v7"), CommandRun.lines(0, "get", folder, "order:007"));
    assertEquals(List.of("ff00"), CommandRun.lines(0, "get", folder, "zäh\\x09\\\\", "-v", "hex"));
    assertEquals(List.of("{\"value\":\"/wA=\"}"),
        CommandRun.lines(0, "get", folder, "zäh\\x09\\\\", "-v", "base64", "--json"));
    assertEquals("rocksdb-ffm: there is no key nothing\\x00", CommandRun.no("get", folder, "nothing\\x00"));
  }

  @ParameterizedTest
  @EnumSource
  void mergesAreReadByTheOperatorThatIsStored(SampleWriter writer) throws RocksDBException {
    writer.write(folder);
    assertEquals(List.of("2c01000000000000"), CommandRun.lines(0, "get", folder, "-f", "sums", "n", "-v", "hex"));
  }

  @ParameterizedTest
  @EnumSource
  void scanPrintsARange(SampleWriter writer) throws RocksDBException {
    writer.write(folder);
    assertEquals(List.of("order:001\tv1", "order:002\tv2"),
        CommandRun.lines(0, "scan", folder, "--from", "order:001", "--until", "order:003"));
    assertEquals(List.of("order:299\tv299", "order:298\tv298"),
        CommandRun.lines(0, "scan", folder, "-p", "order:", "-b", "-n", "2"));
    assertEquals(
        List.of("{\"key\":\"zäh\\t\\\\\",\"value\":{\"base64\":\"/wA=\"}}".replace("\\t", "\\u0009")),
        CommandRun.lines(0, "scan", folder, "-p", "\"z\"", "--json", "-k", "json", "-v", "json"));
    assertEquals(List.of(), CommandRun.lines(0, "scan", folder, "-p", "y"));
  }

  @ParameterizedTest
  @EnumSource
  void scanHasTheOrderThatIsStored(SampleWriter writer) throws RocksDBException {
    writer.write(folder);
    assertEquals(List.of("ff\tv255", "fe\tv254"),
        CommandRun.lines(0, "scan", folder, "-f", "back", "-n", "2", "-k", "hex"));
  }

  @ParameterizedTest
  @EnumSource
  void countAddsUpKeysAndValues(SampleWriter writer) throws RocksDBException {
    writer.write(folder);
    assertEquals(
        List.of("{\"rows\":10,\"keys\":90,\"values\":20}"),
        CommandRun.lines(0, "count", folder, "-p", "order:00", "--json"));
    assertEquals(List.of("{\"rows\":301,\"keys\":2706,\"values\":1092}"),
        CommandRun.lines(0, "count", folder, "--json"));
  }

  @ParameterizedTest
  @EnumSource
  void putAndDeleteKeepTheStoredOptions(SampleWriter writer) throws RocksDBException {
    writer.write(folder);
    List<String> options = CommandRun.lines(0, "options", "show", folder);
    assertEquals(List.of(),
        CommandRun.lines(0, "put", folder, "-f", "back", "00ff", "\"x\"", "-k", "hex", "-v", "json"));
    assertEquals(List.of("x"), CommandRun.lines(0, "get", folder, "-f", "back", "00ff", "-k", "hex"));
    assertEquals(List.of(), CommandRun.lines(0, "delete", folder, "-f", "back", "\\x00\\xff"));
    assertEquals("rocksdb-ffm: there was no key \\x00\\xff",
        CommandRun.no("delete", folder, "-f", "back", "\\x00\\xff"));
    assertEquals(options, CommandRun.lines(0, "options", "show", folder));
    assertTrue(options.stream().anyMatch(line -> line.matches("'back' +write_buffer_size +1234567")),
        options.toString());
  }

  @ParameterizedTest
  @EnumSource
  void whatWasDumpedIsLoaded(SampleWriter writer, @TempDir Path other) throws Exception {
    writer.write(folder);
    Path copy = other.resolve("copy");
    Path file = other.resolve("rows");
    List<String> rows = CommandRun.lines(0, "dump", folder);
    assertEquals("0x6f726465723a303030 ==> 0x7630", rows.getFirst());
    Files.write(file, rows);
    Files.writeString(file, "Keys in range: 301\n", StandardOpenOption.APPEND);
    assertEquals(List.of("{\"rows\":301}"), CommandRun.lines(0, "load", copy, file, "--create", "--json"));
    assertEquals(rows, CommandRun.lines(0, "dump", copy));
    assertEquals(
        List.of("back\t-\t(family)\t-", "sums\t-\t(family)\t-"),
        CommandRun.lines(1, "diff", folder, copy));
  }

  @Test
  void loadNamesTheLineThatIsNoRow(@TempDir Path other) throws Exception {
    SampleWriter.CORE.write(folder);
    Path file = Files.writeString(other.resolve("rows"), "0x61 ==> 0x62\n\nb ==> c\n");
    assertEquals(
        "rocksdb-ffm: " + file + ", line 3: it must be 0xKEY ==> 0xVALUE; the lines before may be loaded",
        CommandRun.failure("load", folder, file));
  }

  @Test
  void diffPrintsEachRowThatDiffers(@TempDir Path other) throws Exception {
    SampleWriter.CORE.write(folder);
    SampleWriter.ROCKSDBJNI.write(other);
    assertEquals(List.of(), CommandRun.lines(0, "diff", folder, other));
    CommandRun.lines(0, "put", folder, "order:0005", "new");
    CommandRun.lines(0, "put", other, "order:007", "changed");
    CommandRun.lines(0, "delete", other, "-f", "back", "fe", "-k", "hex");
    CommandRun.lines(0, "put", other, "-f", "back", "fd01", "late", "-k", "hex");
    assertEquals(
        List.of("default\torder:0005\tnew\t-", "default\torder:007\tv7\tchanged", "back\t\\xfe\tv254\t-",
            "back\t\\xfd\\x01\t-\tlate"),
        CommandRun.lines(1, "diff", folder, other));
  }

  @ParameterizedTest
  @EnumSource
  void bigkeysAddsUpPrefixes(SampleWriter writer) throws RocksDBException {
    writer.write(folder);
    assertEquals(
        List.of(
            "{\"prefix\":\"order:\",\"rows\":300,\"bytes\":3790,\"average\":12,\"largest\":13}",
            "{\"prefix\":\"z\",\"rows\":1,\"bytes\":8,\"average\":8,\"largest\":8}"),
        CommandRun.lines(0, "bigkeys", folder, "--json", "-l", "1"));
  }
}
