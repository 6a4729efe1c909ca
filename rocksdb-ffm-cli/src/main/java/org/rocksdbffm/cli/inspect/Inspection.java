/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.inspect;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.cli.arguments.Database;
import org.rocksdbffm.cli.frame.Bytes;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.Table;
import org.rocksdbffm.internal.folder.LiveLog;
import org.rocksdbffm.internal.folder.LogContents;
import org.rocksdbffm.internal.folder.OptionsFile;
import org.rocksdbffm.internal.format.LogEnd;

/**
 * Finds the files of a database that are missing or have another size than its MANIFEST file says, and how each log ends. It
 * reads the MANIFEST file and the logs without the engine, and no rows.
 */
public final class Inspection {
  private static final int ATTEMPTS = 5; // another process may replace files meanwhile

  private final Database database;
  private final boolean isOpen; // by another process
  private LiveFiles files;
  private LogContents logs;

  private Inspection(Database database) throws IOException {
    this.database = database;
    this.isOpen = isLocked(database.folder().resolve("LOCK"));
  }

  /** Inspects the files of a database. */
  public static Inspection of(Database database) throws IOException {
    database.requireAnything();
    Inspection inspection = new Inspection(database);
    for (int i = 0; i < ATTEMPTS; i++) {
      inspection.read();
      if (!inspection.isOpen || inspection.files.damage == null && inspection.files.lost().isEmpty()) {
        break;
      }
    }
    return inspection;
  }

  /** Says on the error stream what is damaged, which a command that reads rows would not say; that is then the exit code. */
  public static ExitCode noted(Database database, Output out, ExitCode code) throws IOException {
    List<Damage> damages = of(database).damages();
    damages.forEach(damage -> out.note(damage.sentence()));
    return damages.isEmpty() ? code : ExitCode.NO;
  }

  /** The damage for which the engine does not open a database; throws what is something else. */
  public static Damage damage(Database database, RocksDbException e) {
    if (!SkippingScan.isDamage(e)) {
      throw e;
    }
    String file = Verification.file(e);
    return Damage.of(file == null ? database.folder() : database.folder().resolve(file), Verification.words(e), Damage.OF_ROWS);
  }

  /** Returns the exception of a command that cannot read the database, which names the damage if that is found without the engine. */
  public static RuntimeException failed(Database database, RocksDbException e) throws IOException {
    if (!SkippingScan.isDamage(e)) {
      return e;
    }
    Inspection inspection = of(database);
    List<Damage> damages = inspection.damages();
    if (damages.isEmpty() && Verification.file(e) == null) {
      damages.addAll(Verification.ofBlobs(inspection.files())); // of which the engine names none
    }
    return damages.isEmpty()
        ? new IllegalStateException(e.getMessage() + "; 'verify' names what is damaged, and 'dump --skip-damaged' continues behind it", e)
        : new IllegalStateException(damages.getFirst().sentence() + "; 'verify' names all that is damaged", e);
  }

  private void read() throws IOException {
    files = LiveFiles.in(database.folder());
    logs = LogContents.live(database.folder());
  }

  private static boolean isLocked(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
      return lock == null;
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (NoSuchFileException | java.nio.file.AccessDeniedException e) {
      return false;
    }
  }

  /** Everything that is damaged, the files of the whole database first. */
  public List<Damage> damages() throws IOException {
    List<Damage> all = new ArrayList<>();
    if (files.damage != null) {
      all.add(files.damage);
    }
    all.addAll(ofOptions());
    all.addAll(files.lost());
    all.addAll(ofLogs());
    return all;
  }

  private List<Damage> ofOptions() throws IOException {
    try {
      if (OptionsFile.newest(database.folder()) == null) {
        return List.of(Damage.of(database.folder().resolve("OPTIONS"), "is missing: it has no file of options", Damage.OF_OPTIONS));
      }
      return List.of();
    } catch (IllegalArgumentException e) {
      String message = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
      Path file = OptionsFile.newestPath(database.folder());
      return List.of(Damage.of(file, message.replaceFirst("^\\Q" + file + "\\E ", ""), Damage.OF_OPTIONS));
    }
  }

  /** Finds the damage of logs. */
  public List<Damage> ofLogs() {
    List<Damage> damages = new ArrayList<>();
    List<LiveLog> all = logs.logs();
    for (LiveLog log : all) {
      LogEnd end = log.end();
      boolean isGrowing = isOpen && log == all.getLast() && end.isOfCrash();
      if (!isGrowing && end.kind() != LogEnd.Kind.WHOLE && end.kind() != LogEnd.Kind.RECYCLED) {
        damages.add(Damage.of(log.file(), ending(end), Damage.OF_LOG));
      }
    }
    if (logs.unreadable() != null && damages.isEmpty()) {
      damages.add(Damage.of(database.folder().resolve(logs.unreadable().replaceFirst(" .*", "")), logs.unreadable(), Damage.OF_LOG));
    }
    if (all.isEmpty() && !isOpen && isWithoutLog()) {
      damages.add(
          Damage.of(
              database.folder().resolve("*.log"),
              "there is no log, and a program that opened this folder left one",
              "put it back, or restore a backup, or do without the rows that are in no table"));
    }
    return damages;
  }

  /** A program that opened the database left a lock and a log; a copy has neither, and a repair leaves a folder. */
  private boolean isWithoutLog() {
    return files.damage == null
        && Files.exists(database.folder().resolve("LOCK"))
        && Files.notExists(database.folder().resolve("lost"));
  }

  /** How a log ends, in words. */
  static String ending(LogEnd end) {
    String left = Table.text(ByteSize.bytes(end.bytesBehind())) + " are left out";
    String which = end.operationsBehind() > 0 ? left + ", with " + end.operationsBehind() + " writes that can be read" : left;
    String crash = end.isOfCrash() ? ", as after a loss of power" : "";
    return "ends at " + end.offset() + crash + ": " + end.reason() + "; " + which;
  }

  /** The logs whose rows no table may have, the oldest first. */
  public List<LiveLog> logs() {
    return logs.logs();
  }

  /** The names of transactions that are prepared, and neither committed nor rolled back. */
  public Set<String> prepared() {
    return logs.prepared();
  }

  /** The name of a transaction, as a cell. */
  public static Object cell(String prepared) {
    return Bytes.TEXT.cell(prepared.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Whether the engine may be able to open the database. */
  public boolean mayOpen() {
    return files.damage == null;
  }

  LiveFiles files() {
    return files;
  }
}
