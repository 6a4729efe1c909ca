/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.RocksDb;

/** Commands run in separate processes: they are watched, interrupted, and typed into a shell. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LiveTest {
  @TempDir private Path folder;

  private static ProcessBuilder java(String main, Object... arguments) {
    List<String> line = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--enable-native-access=ALL-UNNAMED",
        "-Drocksdbffm.cli.terminal=true",
        "-cp",
        System.getProperty("java.class.path"),
        main));
    for (Object argument : arguments) {
      line.add(argument.toString());
    }
    return new ProcessBuilder(line);
  }

  static Process cli(Object... arguments) throws IOException {
    return java(Main.class.getName(), arguments).start();
  }

  @Test
  void topPrintsWhatAProgramReports() throws Exception {
    Process program = java(Opener.class.getName(), folder.resolve("database"))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    try (var output = program.inputReader()) {
      assertEquals("ready", output.readLine());
      Process top = cli("top", program.pid(), "--json");
      try (var lines = top.inputReader()) {
        String line = lines.readLine();
        while (line != null && !line.contains("\"event\":\"DatabaseOpened\"")) {
          line = lines.readLine();
        }
        assertTrue(line != null && line.contains(folder.resolve("database").toString()), line);
      } finally {
        top.destroyForcibly();
      }
      assertTrue(CommandRun.failure("top", "no number").startsWith("rocksdb-ffm: "));
    } finally {
      program.destroyForcibly();
    }
  }

  /** Opens a database repeatedly until its input ends. */
  static final class Opener {
    public static void main(String... arguments) throws IOException, InterruptedException {
      System.out.println("ready");
      while (System.in.available() == 0) {
        RocksDb.open(Path.of(arguments[0])).close();
        Thread.sleep(100);
      }
    }
  }

  @Test
  void aShellRunsOneLineAfterTheOther() throws Exception {
    SampleWriter.CORE.write(folder);
    Process shell = cli("shell");
    try (var input = shell.outputWriter()) {
      input.write("get " + folder + " order:007\n\nnosuch\nget " + folder + " z\\xc3\\xa4h\\x09\\\\ -v hex\nexit\n");
    }
    String out = new String(shell.getInputStream().readAllBytes(), UTF_8);
    assertTrue(shell.waitFor(1, TimeUnit.MINUTES));
    assertEquals(0, shell.exitValue());
    assertTrue(out.contains("v7"), out);
    assertTrue(out.contains("ff00"), out);
    assertTrue(new String(shell.getErrorStream().readAllBytes(), UTF_8).contains("nosuch"));
  }

  @Test
  void aHomeThatIsNotToBeWrittenIsNoMatterToAUser() throws Exception {
    SampleWriter.CORE.write(folder);
    ProcessBuilder line = java(Main.class.getName(), "get", folder, "order:007");
    line.command().addAll(1, List.of("-Duser.home=/dev/null", "-Drocksdbffm.cli.terminal=false"));
    Process get = line.redirectErrorStream(true).start();
    assertEquals("v7\n", new String(get.getInputStream().readAllBytes(), UTF_8));
    assertEquals(0, get.waitFor());
  }

  @Test
  void anInterruptedLoadLeavesNothing() throws Exception {
    Process load = cli("load", "--create", folder.resolve("database"), "-");
    try (var input = load.outputWriter()) {
      String row = "0x%010x ==> 0x" + "00".repeat(1000) + "\n";
      for (int i = 0; i < 20_000; i++) {
        input.write(row.formatted(i));
      }
      input.flush();
      assertEquals(1, names().length, "what is made is beside the database");
      load.toHandle().destroy(); // SIGTERM, because background jobs of a shell ignore SIGINT; the input stays open
      assertTrue(load.waitFor(1, TimeUnit.MINUTES));
    } catch (IOException closed) {
      assertTrue(load.waitFor(1, TimeUnit.MINUTES));
    }
    assertEquals(143, load.exitValue());
    assertEquals(List.of(), List.of(names()));
    String progress = new String(load.getErrorStream().readAllBytes(), UTF_8);
    assertTrue(progress.isEmpty() || progress.contains(" done in "), progress);
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "KILL, 137"})
  void aRestoreThatIsEndedLeavesNoDatabaseAndIsRepeated(String signal, int code) throws Exception {
    Path database = folder.resolve("database");
    Path backups = folder.resolve("backups");
    Path copy = Files.createDirectory(folder.resolve("restored")).resolve("copy");
    SampleWriter.CORE.write(database);
    CommandRun.lines(0, "backup", "create", database, backups);
    Path table;
    try (var shared = Files.list(backups.resolve("shared_checksum"))) {
      table = shared.findFirst().orElseThrow();
    }
    Path aside = Files.move(table, folder.resolve("aside"));
    assertEquals(0, new ProcessBuilder("mkfifo", table.toString()).start().waitFor());
    ProcessBuilder line = java(Main.class.getName(), "backup", "restore", backups, copy);
    line.command().addAll(0, List.of("env", "--default-signal=INT")); // background jobs of a shell ignore SIGINT
    Process restore = line.start();
    try (OutputStream pipe = Files.newOutputStream(table)) { // blocks until the restore opens the file
      pipe.flush();
      assertEquals(0, new ProcessBuilder("kill", "-" + signal, Long.toString(restore.pid())).start().waitFor());
      assertTrue(restore.waitFor(1, TimeUnit.MINUTES));
    } finally {
      restore.destroyForcibly();
    }
    assertEquals(code, restore.exitValue());
    assertTrue(Files.notExists(copy));
    assertEquals(signal.equals("INT") ? 0 : 1, copy.getParent().toFile().list().length);
    Files.move(aside, table, StandardCopyOption.REPLACE_EXISTING);
    CommandRun.lines(0, "backup", "restore", backups, copy);
    assertEquals(List.of(), CommandRun.lines(0, "diff", database, copy));
  }

  @ParameterizedTest
  @ValueSource(strings = {"scan DIR", "dump DIR", "diff DIR DIR"})
  void rowsThatGoToAFileShowHowFarTheyAreAndOthersDoNot(String line) throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("database"))) {
      for (int i = 0; i < 200_000; i++) {
        db.put("%010d".formatted(i).getBytes(UTF_8), new byte[50]);
      }
    }
    String[] arguments = line.replace("DIR", folder.resolve("database").toString()).split(" ");
    for (boolean toFile : new boolean[] {true, false}) {
      ProcessBuilder builder = java(Main.class.getName(), (Object[]) arguments);
      builder.command().add(1, "-Drocksdbffm.cli.progress=1");
      if (toFile) {
        builder.redirectOutput(folder.resolve("rows").toFile());
      }
      Process process = builder.start();
      process.getOutputStream().close();
      Thread reader = Thread.ofPlatform().start(() -> {
        try {
          process.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
      String shown = new String(process.getErrorStream().readAllBytes(), UTF_8);
      reader.join();
      assertEquals(0, process.waitFor());
      assertTrue(toFile || shown.isEmpty(), shown);
      assertTrue(!toFile || shown.contains(" % "), shown);
    }
  }

  @Test
  void aPurgeShowsHowManyBackupsItHasDeleted() throws Exception {
    Path database = folder.resolve("database");
    Path backups = folder.resolve("backups");
    SampleWriter.CORE.write(database);
    for (int i = 0; i < 3; i++) {
      CommandRun.lines(0, "backup", "create", database, backups);
    }
    ProcessBuilder line = java(Main.class.getName(), "backup", "purge", backups, "--keep", "1");
    line.command().add(1, "-Drocksdbffm.cli.progress=0"); // shows each state
    Process purge = line.redirectOutput(folder.resolve("rows").toFile()).start();
    String shown = new String(purge.getErrorStream().readAllBytes(), UTF_8);
    assertEquals(0, purge.waitFor());
    assertTrue(shown.contains(" 1 of about 2, "), shown);
    assertEquals(1, CommandRun.lines(0, "backup", "list", backups, "--json").size());
  }

  @Test
  void aPurgeThatIsToKeepANegativeNumberDeletesNothing() throws Exception {
    Path database = folder.resolve("database");
    Path backups = folder.resolve("backups");
    SampleWriter.CORE.write(database);
    CommandRun.lines(0, "backup", "create", database, backups);
    assertEquals(
        "rocksdb-ffm: --keep: -1 backups cannot stay", CommandRun.failure("backup", "purge", backups, "--keep", "-1"));
    assertEquals(1, CommandRun.lines(0, "backup", "list", backups, "--json").size());
  }

  private String[] names() {
    return folder.toFile().list();
  }

  @Test
  void aLoadThatFailsLeavesNothing() throws IOException {
    Path file = Files.writeString(folder.resolve("rows"), "0x61 ==> 0x62\nnonsense\n");
    assertEquals(
        "rocksdb-ffm: " + file + ", line 2: it must be 0xKEY ==> 0xVALUE",
        CommandRun.failure("load", "--create", folder.resolve("database"), file));
    assertEquals(List.of("rows"), List.of(names()));
  }
}
