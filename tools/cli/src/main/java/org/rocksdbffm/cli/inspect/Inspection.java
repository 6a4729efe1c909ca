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
import org.rocksdbffm.cli.frame.ByteNotation;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.RowPrinter;
import org.rocksdbffm.internal.folder.LiveLog;
import org.rocksdbffm.internal.folder.LogContents;
import org.rocksdbffm.internal.folder.OptionsFile;
import org.rocksdbffm.internal.format.LogEnd;

/**
 * Finds files of a database that are missing or do not have the size in the MANIFEST file, and damage of the WAL. Reads
 * the MANIFEST and WAL files without the engine, but no rows in tables.
 */
public final class Inspection {
  private static final int ATTEMPTS = 5; // another process may replace files concurrently

  private final Database database;
  private final boolean isOpen; // in another process
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

  /** Reports damage on the error stream, for commands that read rows; returns the exit code, NO if there is damage. */
  public static ExitCode noted(Database database, Output out, ExitCode code) throws IOException {
    List<DamagedFile> damages = of(database).damages();
    damages.forEach(damage -> out.note(damage.sentence()));
    return damages.isEmpty() ? code : ExitCode.NO;
  }

  /** Returns the damage for which the engine does not open a database; throws any other exception. */
  public static DamagedFile damage(Database database, RocksDbException e) {
    if (!SkippingScan.isDamage(e)) {
      throw e;
    }
    String file = TableCheck.file(e);
    return DamagedFile.of(file == null ? database.folder()
        : database.folder().resolve(file), TableCheck.words(e), DamagedFile.OF_ROWS);
  }

  /** Returns the exception of a command that cannot read the database, with the damage if it is found. */
  public static RuntimeException failed(Database database, RocksDbException e) throws IOException {
    if (!SkippingScan.isDamage(e)) {
      return e;
    }
    Inspection inspection = of(database);
    List<DamagedFile> damages = inspection.damages();
    if (damages.isEmpty() && TableCheck.file(e) == null) {
      damages.addAll(TableCheck.ofBlobs(inspection.files())); // the engine's message names no blob file
    }
    return damages.isEmpty()
        ? new IllegalStateException(e.getMessage()
            + "; 'verify' names what is damaged, and 'dump --skip-damaged' continues behind it", e)
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

  /** Returns all damage, first of the files of the whole database. */
  public List<DamagedFile> damages() throws IOException {
    List<DamagedFile> all = new ArrayList<>();
    if (files.damage != null) {
      all.add(files.damage);
    }
    all.addAll(ofOptions());
    all.addAll(files.lost());
    all.addAll(ofLogs());
    return all;
  }

  private List<DamagedFile> ofOptions() throws IOException {
    try {
      if (OptionsFile.newest(database.folder()) == null) {
        return List.of(DamagedFile.of(database.folder().resolve("OPTIONS"), "is missing: it has no file of options",
            DamagedFile.OF_OPTIONS));
      }
      return List.of();
    } catch (IllegalArgumentException e) {
      String message = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
      Path file = OptionsFile.newestPath(database.folder());
      return List.of(DamagedFile.of(file, message.replaceFirst("^\\Q" + file + "\\E ", ""), DamagedFile.OF_OPTIONS));
    }
  }

  /** Finds the damage of WAL files. */
  public List<DamagedFile> ofLogs() {
    List<DamagedFile> damages = new ArrayList<>();
    List<LiveLog> all = logs.logs();
    for (LiveLog log : all) {
      LogEnd end = log.end();
      boolean isGrowing = isOpen && log == all.getLast() && end.isOfCrash();
      if (!isGrowing && end.kind() != LogEnd.Kind.WHOLE && end.kind() != LogEnd.Kind.RECYCLED) {
        damages.add(DamagedFile.of(log.file(), ending(end), DamagedFile.OF_LOG));
      }
    }
    if (logs.unreadable() != null && damages.isEmpty()) {
      damages.add(
          DamagedFile.of(database.folder().resolve(logs.unreadable().replaceFirst(" .*", "")), logs.unreadable(),
          DamagedFile.OF_LOG));
    }
    if (all.isEmpty() && !isOpen && isWithoutLog()) {
      damages.add(
          DamagedFile.of(
              database.folder().resolve("*.log"),
              "there is no log, and a program that opened this folder left one",
              "put it back, or restore a backup, or do without the rows that are in no table"));
    }
    return damages;
  }

  /** Whether the WAL is missing. An opening leaves LOCK and a WAL; copies have neither, and repairs leave a folder. */
  private boolean isWithoutLog() {
    return files.damage == null
        && Files.exists(database.folder().resolve("LOCK"))
        && Files.notExists(database.folder().resolve("lost"));
  }

  /** Describes the end of a WAL file. */
  static String ending(LogEnd end) {
    String left = RowPrinter.text(ByteSize.bytes(end.bytesBehind())) + " are left out";
    String which =
        end.operationsBehind() > 0 ? left + ", with " + end.operationsBehind() + " writes that can be read" : left;
    String crash = end.isOfCrash() ? ", as after a loss of power" : "";
    return "ends at " + end.offset() + crash + ": " + end.reason() + "; " + which;
  }

  /** Returns the WAL files that may have unflushed rows, the oldest first. */
  public List<LiveLog> logs() {
    return logs.logs();
  }

  /** Returns the names of prepared transactions that are neither committed nor rolled back. */
  public Set<String> prepared() {
    return logs.prepared();
  }

  /** Returns a transaction's name as a cell. */
  public static Object cell(String prepared) {
    return ByteNotation.TEXT.cell(prepared.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Whether the engine may be able to open the database. */
  public boolean mayOpen() {
    return files.damage == null;
  }

  LiveFiles files() {
    return files;
  }
}
