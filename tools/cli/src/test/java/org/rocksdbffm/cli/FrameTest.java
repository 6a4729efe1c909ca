/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.cli.frame.ByteNotation;
import org.rocksdbffm.cli.frame.Frame;

/** Errors are one line, and exit codes are as documented, also with hostile input. */
class FrameTest {
  private static final List<List<String>> OF_ONE_DATABASE = List.of(
      List.of("info"),
      List.of("get", "k"),
      List.of("scan"),
      List.of("count"),
      List.of("put", "k", "v"),
      List.of("delete", "k"),
      List.of("levels"),
      List.of("verify"),
      List.of("compact"),
      List.of("dump"),
      List.of("bigkeys"),
      List.of("stats"),
      List.of("events"),
      List.of("wal"),
      List.of("checkpoint", "/nowhere/copy"),
      List.of("load", "/dev/null"));

  @TempDir private Path folder;

  private static Object[] onDatabase(List<String> command, Path folder) {
    Object[] arguments = new Object[command.size() + 1];
    arguments[0] = command.getFirst();
    arguments[1] = folder;
    for (int i = 1; i < command.size(); i++) {
      arguments[i + 1] = command.get(i);
    }
    return arguments;
  }

  @Test
  void aFolderThatIsNoDatabaseIsRefusedAndLeftAlone() throws IOException {
    Path missing = folder.resolve("missing");
    Path file = Files.createFile(folder.resolve("file"));
    Path foreign = Files.createDirectory(folder.resolve("foreign"));
    Files.writeString(foreign.resolve("000001.log"), "of another program");
    for (Path wrong : List.of(missing, file, foreign)) {
      for (List<String> command : OF_ONE_DATABASE) {
        assertEquals(
            "rocksdb-ffm: " + wrong + " is no database: it has no file CURRENT",
            CommandRun.failure(onDatabase(command, wrong)));
      }
      assertTrue(CommandRun.failure("options", "show", wrong).endsWith("is no database: it has no file CURRENT"));
    }
    assertTrue(Files.notExists(missing));
    assertEquals(List.of("000001.log"), List.of(foreign.toFile().list()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"CURRENT", "MANIFEST"})
  void aDatabaseWithADamagedFileIsRefused(String damaged) throws Exception {
    SampleWriter.CORE.write(folder);
    try (var files = Files.list(folder)) {
      Path file = files.filter(each -> each.getFileName().toString().startsWith(damaged)).findFirst().orElseThrow();
      Files.write(file, new byte[] {1, 2, 3});
    }
    for (List<String> command : OF_ONE_DATABASE) {
      if (!List.of("verify", "events", "wal", "info").contains(command.getFirst())) {
        CommandRun.failure(onDatabase(command, folder));
      }
    }
    for (String command : List.of("verify", "info", "doctor", "repair")) {
      CommandRun run = CommandRun.of(command, folder);
      assertEquals(1, run.code(), run.toString());
      assertTrue(run.out().contains(damaged), run.toString());
    }
  }

  @Test
  void aDatabaseThatIsOpenIsReadAndNotWritten() throws Exception {
    SampleWriter.CORE.write(folder);
    Process holder = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Holder.class.getName(),
            folder.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    try (var output = holder.inputReader()) {
      assertEquals("open", output.readLine());
      assertEquals(List.of("row"), CommandRun.lines(0, "get", folder, "new"));
      assertEquals("902\tput\tdefault\tnew\trow", CommandRun.lines(0, "wal", folder).getLast());
      assertTrue(CommandRun.lines(0, "stats", folder, "--json").getFirst().contains("\"writes\":902,"));
      assertEquals(List.of("{\"rows\":302,\"keys\":2709,\"values\":1095}"),
          CommandRun.lines(0, "count", folder, "--json"));
      for (List<String> command : List.of(List.of("put", "k", "v"), List.of("delete", "new"), List.of("compact"))) {
        String failure = CommandRun.failure(onDatabase(command, folder));
        assertTrue(failure.contains("lock"), failure);
      }
      holder.getOutputStream().close();
      assertTrue(holder.waitFor(1, TimeUnit.MINUTES));
      assertEquals(List.of(), CommandRun.lines(0, "put", folder, "k", "v"));
    } finally {
      holder.destroyForcibly();
    }
  }

  /** Keeps a database open until its standard input ends. */
  static final class Holder {
    public static void main(String... arguments) throws IOException {
      try (RocksDb open = RocksDb.open(Path.of(arguments[0]))) {
        open.put("new".getBytes(UTF_8), "row".getBytes(UTF_8));
        System.out.println("open");
        System.in.read();
      }
    }
  }

  @Test
  void aMissingFamilyIsNamed() throws Exception {
    SampleWriter.CORE.write(folder);
    String missing =
        "rocksdb-ffm: " + folder + " has no column family 'backs'; it has default, back, sums; did you mean 'back'?";
    for (List<String> command : OF_ONE_DATABASE) {
      if (List.of("get", "scan", "count", "put", "delete", "levels", "compact", "dump", "bigkeys", "load")
          .contains(command.getFirst())) {
        List<String> named = new ArrayList<>(command);
        named.addAll(List.of("-f", "backs"));
        assertEquals(missing, CommandRun.failure(onDatabase(named, folder)));
      }
    }
    assertEquals(3, RocksDb.families(folder).size());
  }

  @Test
  void logsInAnotherFolderAreFound() throws IOException {
    Path database = folder.resolve("database");
    Path logs = Files.createDirectory(folder.resolve("logs"));
    DatabaseOptions options = DatabaseOptions.defaults().option("wal_dir", logs).option("max_log_file_size", 12345);
    try (RocksDb db = RocksDb.at(database).options(options).open()) {
      db.put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
    }
    String[] files = database.toFile().list();
    assertEquals(List.of("k\tv"), CommandRun.lines(0, "scan", database));
    assertEquals(List.of("1\tput\tdefault\tk\tv"), CommandRun.lines(0, "wal", database));
    assertEquals(1,
        CommandRun.lines(0, "info", database, "--json").stream().filter(line -> line.contains("\"default\"")).count());
    assertArrayEquals(files, database.toFile().list(), "a reader writes nothing");
    CommandRun.lines(0, "put", database, "k", "new");
    assertEquals(List.of("new"), CommandRun.lines(0, "get", database, "k"));
    assertEquals(1,
        CommandRun.lines(0, "options", "show", database).stream().filter(line -> line.endsWith(" 12345")).count());
  }

  @Test
  void tablesInOtherFoldersAreNamed() {
    Path tables = folder.resolve("tables");
    FamilyOptions options =
        FamilyOptions.defaults().paths(List.of(new FamilyOptions.StoragePath(tables, ByteSize.gib(1))));
    Path database = folder.resolve("database");
    try (RocksDb db = RocksDb.at(database).family("elsewhere", options).open()) {
      db.family("elsewhere").put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
      db.flushAll();
    }
    for (String command : List.of("scan", "compact")) {
      String failure = CommandRun.failure(command, database, "-f", "elsewhere");
      assertTrue(failure.contains("has tables in " + tables + " too"), failure);
    }
  }

  @Test
  void aFamilyThatWasDroppedStaysSo() throws Exception {
    SampleWriter.CORE.write(folder);
    Path options = newestOptions();
    byte[] before = Files.readAllBytes(options);
    try (RocksDb db = RocksDb.open(folder)) {
      db.dropFamily(db.family("back"));
    }
    Files.write(newestOptions(), before); // as if power had failed before the new options were written
    CommandRun.lines(0, "put", folder, "k", "v");
    assertEquals(2, RocksDb.families(folder).size());
  }

  @Test
  void aDamagedFileOfOptionsIsNamedAndRowsAreRead() throws Exception {
    SampleWriter.CORE.write(folder);
    Path options = newestOptions();
    String whole = Files.readString(options);
    for (String damaged
        : List.of("", whole.substring(0, whole.length() / 2), whole.substring(0, whole.indexOf("num_levels=") + 12))) {
      Files.writeString(options, damaged);
      for (String[] command : new String[][] {{"put", folder + "", "k", "v"}, {"options", "show", folder + ""}}) {
        String failure = CommandRun.failure((Object[]) command);
        assertTrue(failure.startsWith("rocksdb-ffm: " + options + " "), failure);
        assertTrue(failure.endsWith(": open the database by its program, which writes a new one"), failure);
      }
      CommandRun get = CommandRun.of("get", folder, "order:007");
      assertEquals("v7", get.out().strip());
      assertTrue(get.code() == 1 && get.err().startsWith("rocksdb-ffm: " + options.getFileName() + " "), get.err());
    }
    SampleWriter.CORE.write(folder);
    CommandRun.lines(0, "put", folder, "k", "v");
  }

  private Path newestOptions() throws IOException {
    try (var files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().startsWith("OPTIONS-")).max(Path::compareTo)
          .orElseThrow();
    }
  }

  @Test
  void whatATerminalWouldObeyIsNotPrinted() {
    try (RocksDb db = RocksDb.open(folder)) {
      db.createFamily("\033[2J\n", FamilyOptions.defaults());
    }
    assertTrue(CommandRun.lines(0, "info", folder).stream().anyMatch(line -> line.startsWith("?[2J? ")));
    assertTrue(CommandRun.lines(0, "info", folder, "--json").stream()
        .anyMatch(line -> line.contains("\"\\u001b[2J\\u000a\"")));
    assertEquals(List.of(), CommandRun.lines(0, "options", "show", folder, "--changed"));
    String failure = CommandRun.failure("put", folder, "-f", "other", "k", "v");
    assertTrue(failure.endsWith("; it has default, ?[2J"), failure);
  }

  @Test
  void codeInJavaIsNamedAndTheOtherFamiliesAreRead() {
    Map<String, FamilyOptions> families = Map.of(
        "ordered",
        FamilyOptions.defaults().keyOrder("com.example.Backward", (a, b) -> b.compareTo(a)));
    try (RocksDb db = RocksDb.at(folder).families(families).open()) {
      db.put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
    }
    assertEquals(List.of("v"), CommandRun.lines(0, "get", folder, "k"));
    assertTrue(CommandRun.failure("put", folder, "k", "v").contains("com.example."));
    String failure = CommandRun.failure("scan", folder, "-f", "ordered");
    assertTrue(failure.contains("com.example.Backward"), failure);
    List<String> info = CommandRun.lines(0, "info", folder);
    assertTrue(info.stream().anyMatch(line -> line.startsWith("default ")), info.toString());
    assertTrue(info.stream().anyMatch(line -> line.contains("com.example.Backward")), info.toString());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatAnUnknownOperatorWouldMergeIsShownAndCounted(boolean flushed, @TempDir Path other) {
    merge(folder, flushed, "a", "bc");
    merge(other, flushed, "ab", "c");
    String unmerged = "{\"merge\":\"com.example.Join\",\"value\":\"w\",\"operands\":[\"%s\", \"%s\"]}";
    String here = unmerged.formatted("a", "bc");
    assertEquals(List.of("v"), CommandRun.lines(0, "get", folder, "k"));
    assertEquals(List.of(here), CommandRun.lines(0, "get", folder, "m"));
    assertEquals(List.of("k\tv", "m\t" + here), CommandRun.lines(0, "scan", folder));
    assertEquals(List.of("m\t" + here, "k\tv"), CommandRun.lines(0, "scan", folder, "-b"));
    assertEquals(List.of("m\t-\t" + here), CommandRun.lines(0, "scan", folder, "-p", "m", "--time", "ttl"));
    assertEquals(List.of("{\"rows\":2,\"keys\":2,\"values\":5}"), CommandRun.lines(0, "count", folder, "--json"));
    assertEquals(
        List.of("{\"prefix\":\"m\",\"rows\":1,\"bytes\":5,\"average\":5,\"largest\":5}",
            "{\"prefix\":\"k\",\"rows\":1,\"bytes\":2,\"average\":2,\"largest\":2}"),
        CommandRun.lines(0, "bigkeys", folder, "--json"));
    assertEquals(List.of("default\tm\t" + here + "\t" + unmerged.formatted("ab", "c")),
        CommandRun.lines(1, "diff", folder, other));
    assertEquals(List.of(), CommandRun.lines(0, "diff", folder, folder));
    CommandRun dump = CommandRun.of("dump", folder);
    assertEquals("0x6b ==> 0x76\n", dump.out());
    assertEquals(
        "rocksdb-ffm: rows that are left out: 1, the first with the key m; their merge operator com.example.Join is "
            + "not known "
            + "here, and scan prints what it would merge",
        dump.err().strip());
    assertEquals(2, dump.code());
    List<String> info = CommandRun.lines(0, "info", folder);
    assertTrue(info.stream().anyMatch(line -> line.endsWith(" com.example.Join")), info.toString());
    for (String command : List.of("levels", "stats", "verify", "doctor")) {
      CommandRun.lines(0, command, folder);
    }
    assertTrue(CommandRun.failure("put", folder, "k", "v").contains("com.example."));
  }

  private static void merge(Path folder, boolean flushed, String first, String second) {
    FamilyOptions options =
        FamilyOptions.defaults().mergeOperator("com.example.Join", (key, value, operands) -> new byte[] {7});
    try (RocksDb db = RocksDb.at(folder).defaults(options).open()) {
      db.put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
      db.put("m".getBytes(UTF_8), "w".getBytes(UTF_8));
      if (flushed) {
        db.flush(); // otherwise the next flush would merge the put with the operands
      }
      db.merge("m".getBytes(UTF_8), first.getBytes(UTF_8));
      db.merge("m".getBytes(UTF_8), second.getBytes(UTF_8));
    }
  }

  @Test
  void aWrongCommandLineIsOneLine() throws Exception {
    SampleWriter.CORE.write(folder);
    assertEquals("rocksdb-ffm: a command is missing; --help shows how", CommandRun.failure());
    assertEquals("rocksdb-ffm: a command is missing; --help shows how", CommandRun.failure("backup"));
    assertEquals("rocksdb-ffm: Missing required parameter: 'KEY'; --help shows how", CommandRun.failure("get", folder));
    assertEquals(
        "rocksdb-ffm: an argument has a character that this locale has not: set LC_ALL=C.UTF-8, or write bytes as "
            + "\\xNN",
        CommandRun.failure("put", folder, "k", "v\ufffd"));
    assertEquals("rocksdb-ffm: " + folder + " is a folder: name a file of rows",
        CommandRun.failure("load", folder, folder));
    assertEquals("rocksdb-ffm: there is no command 'scn'; did you mean 'scan'? --help shows how",
        CommandRun.failure("scn", folder));
    assertEquals("rocksdb-ffm: there is no command 'qqqqqqqq'; --help shows how", CommandRun.failure("qqqqqqqq"));
    assertEquals(
        "rocksdb-ffm: 'backup' has no command 'creat'; did you mean 'create'? --help shows how",
        CommandRun.failure("backup", "creat", folder));
    assertEquals(
        "rocksdb-ffm: 'scan' has no option '--limt'; did you mean '--limit'? --help shows how",
        CommandRun.failure("scan", folder, "--limt", "3"));
    assertEquals("rocksdb-ffm: 'get' takes no further argument: 'b'; --help shows how",
        CommandRun.failure("get", folder, "a", "b"));
    assertEquals(
        "rocksdb-ffm: 'tex' is none of text, hex, base64, json; did you mean 'text'? --help shows how",
        CommandRun.failure("scan", folder, "--key", "tex"));
    CommandRun.failure("scan", folder, "--limit", "x");
    assertEquals("rocksdb-ffm: --length -5, --limit 20: neither may be negative",
        CommandRun.failure("bigkeys", folder, "-l", "-5"));
    CommandRun.failure("scan", folder, "--key", "octal");
    CommandRun.failure("scan", folder, "-p", "a", "--from", "b");
    CommandRun.failure("scan", folder, "--from", "xyz", "-k", "hex");
    assertTrue(CommandRun.lines(0, "--help")
        .contains("  1   the answer is no: no such key, rows that differ, a damaged file"));
    assertTrue(CommandRun.lines(0, "help", "scan").getFirst().startsWith("Usage: rocksdb-ffm scan "));
    assertTrue(CommandRun.lines(0, "generate-completion").getFirst().startsWith("#!"));
  }

  /**
   * Checks the text literals of the library's sources for Java names, such as a class with a member or a method of
   * {@code Opening}, in advice on the engine's messages.
   */
  @Test
  void noAdviceOfTheLibraryNamesAMethod() throws IOException {
    Pattern literal = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"(?:\\s*\\+\\s*\"((?:[^\"\\\\]|\\\\.)*)\")?");
    Pattern method =
        Pattern.compile(
            "\\b(RocksDb|TransactionDb|(Family|Database|Table|Write)Options|Files|KeySpace|BlockCache)\\.[a-z]"
                + "|openReadOnly|mustExist");
    int named = 0;
    try (var sources = Files.walk(Repository.ROOT.resolve("rocksdb-ffm/src/main/java"))) {
      for (Path source : sources.filter(file -> file.toString().endsWith(".java")).toList()) {
        for (MatchResult found : literal.matcher(Files.readString(source)).results().toList()) {
          String advice = found.group(1) + (found.group(2) == null ? "" : found.group(2));
          if (advice.contains(" ") && method.matcher(advice).find()) {
            named++;
            String shown = Frame.shown("IO error: While it was read (opening /a/openReadOnly.d: " + advice + ")");
            assertTrue(shown.startsWith("IO error: While it was read (opening /a/openReadOnly.d"), shown);
            assertFalse(method.matcher(shown.replace("/openReadOnly.d", "")).find(), source + ": " + advice + "\n"
                + shown);
          }
        }
      }
    }
    assertTrue(named > 30, "the sources are read: " + named);
    assertEquals(
        "Invalid argument: /a is there already (checkpoint /a: nothing is ever replaced; name a new folder, or "
            + "remove that one)",
        Frame.shown("Invalid argument: /a is there already (checkpoint /a: nothing is ever replaced; name a new "
            + "folder, or remove "
            + "that one (RocksDb.destroy, if it is a database))"));
    String ofAFamily = "the family 'keyValueWithTimestamp' of /data/RocksDb.put has 2 files (of 3), and is not read";
    assertEquals(ofAFamily, Frame.shown(ofAFamily));
  }

  /** A stream whose writes fail. */
  private static final class BrokenStream extends OutputStream {
    private final String reason;

    private BrokenStream(String reason) {
      this.reason = reason;
    }

    @Override
    public void write(int b) throws IOException {
      throw new IOException(reason);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"scan DIR", "info DIR", "stats DIR --every 0.001", "--help", "help scan",
      "backup create --help", "generate-completion"})
  void aClosedPipeIsNoErrorAndAFullDiskIsOne(String line) throws Exception {
    SampleWriter.CORE.write(folder);
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String[] arguments = line.replace("DIR", folder.toString()).split(" ");
    assertEquals(0, Frame.run(new Main(), new BrokenStream("Broken pipe"), err, arguments));
    assertEquals("", err.toString(UTF_8));
    assertEquals(2, Frame.run(new Main(), new BrokenStream("No space left on device"), err, arguments));
    assertEquals("rocksdb-ffm: the output cannot be written: No space left on device", err.toString(UTF_8).strip());
  }

  @ParameterizedTest
  @EnumSource
  void eachNotationReadsWhatItWrites(ByteNotation notation) {
    Random random = new Random(1);
    for (int i = 0; i < 5000; i++) {
      byte[] bytes = new byte[random.nextInt(9)];
      random.nextBytes(bytes);
      if (i % 2 == 0) {
        bytes = new String(bytes, UTF_8).getBytes(UTF_8);
      }
      String written = notation.cell(bytes).toString();
      assertArrayEquals(bytes, notation.read(written), written);
      assertTrue(written.chars().noneMatch(Character::isISOControl), written);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "10 €, 10 €",
    "£ ° – “x” «y» \u0928\u092e\u0938\u094d\u0924\u0947 \u0e19\u0e49\u0e33, £ ° – “x” «y» "
        + "\u0928\u092e\u0938\u094d\u0924\u0947 \u0e19\u0e49\u0e33",
    "日本🍎, 日本🍎",
    "a\u0000\u007f\u0085, a\\x00\\x7f\\xc2\\x85", // controls
    "a\u200b\u202e, a\\xe2\\x80\\x8b\\xe2\\x80\\xae", // formats
    "a\ue000, a\\xee\\x80\\x80", // private use
    "a\u0378, a\\xcd\\xb8", // unassigned
    "a\u00a0\u2028\u2029b, a\\xc2\\xa0\\xe2\\x80\\xa8\\xe2\\x80\\xa9b" // separators
  })
  void allThatAReaderCanReadIsShown(String text, String shown) {
    assertEquals(shown, ByteNotation.TEXT.cell(text.getBytes(UTF_8)).toString());
  }

  @ParameterizedTest
  @CsvSource({"c3a4ff, \\xc3\\xa4\\xff", "c0af, \\xc0\\xaf", "eda080, \\xed\\xa0\\x80",
      "f4908080, \\xf4\\x90\\x80\\x80", "e282, \\xe2\\x82", "80, \\x80"})
  void bytesThatAreNoUtf8AreShownOneByOne(String hex, String shown) {
    byte[] bytes = ByteNotation.HEX.read(hex);
    assertEquals(shown, ByteNotation.TEXT.cell(bytes).toString());
    assertTrue(ByteNotation.JSON.cell(bytes).toString().startsWith("{\"base64\":"), hex);
  }

  @Test
  void eachByteIsEscapedAtEachPositionUnlessItIsPrintable() {
    for (int b = 0; b < 0x100; b++) {
      String shown = b == '\\' ? "\\\\" : b >= ' ' && b < 0x7f ? Character.toString(b) : "\\x%02x".formatted(b);
      for (int at = 0; at < 17; at++) { // two words of eight bytes, and one byte
        byte[] bytes = "~ !]}[^_`012345-z".getBytes(UTF_8);
        String others = new String(bytes, UTF_8);
        bytes[at] = (byte) b;
        assertEquals(
            others.substring(0, at) + shown + others.substring(at + 1), ByteNotation.TEXT.cell(bytes).toString());
      }
    }
  }

  @Test
  void whatIsNotInANotationIsRefused() {
    Map<ByteNotation, List<String>> wrong = Map.of(
        ByteNotation.TEXT,
        List.of("\\", "\\n", "\\x1", "\\xg0"),
        ByteNotation.HEX,
        List.of("1", "0xzz"),
        ByteNotation.BASE64,
        List.of("*", "a"),
        ByteNotation.JSON,
        List.of("", "a", "\"", "\"a\"b\"", "\"\\\"", "\"\\q\"", "\"\\u12\"", "\"\\ud800\"", "{\"base64\":\"*\"}"));
    wrong.forEach((notation, texts) -> texts.forEach(text -> {
      String message = assertThrows(IllegalArgumentException.class, () -> notation.read(text), text).getMessage();
      assertTrue(!message.isBlank(), text);
    }));
  }
}
