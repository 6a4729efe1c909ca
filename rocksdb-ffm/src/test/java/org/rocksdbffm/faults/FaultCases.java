/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.tools.LiveObjectsCheck;

/**
 * A program to which the system denies one resource per run; see {@link FaultTest}. Exits with 0 if everything works
 * after that.
 */
final class FaultCases {
  private static final Path FOLDER = Path.of("").toAbsolutePath().resolve("db");
  private static final long CHUNK = 256 << 20;
  private static final byte[] KEY = "key".getBytes(UTF_8);

  private FaultCases() {}

  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "fileTooLarge" -> fileTooLarge();
      case "outOfFiles" -> outOfFiles();
      case "outOfMemory" -> outOfMemory();
      case "readOnlyFolder" -> readOnlyFolder(Path.of(arguments[1]));
      case "write" -> write(Path.of(arguments[1]));
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    LiveObjectsCheck.awaitNone();
    System.out.println(arguments[0] + " done");
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  private static byte[] value(int fill) {
    byte[] value = new byte[10_000];
    Arrays.fill(value, (byte) fill);
    return value;
  }

  /** Files cannot grow beyond a limit: a write fails as on a broken disk, and earlier writes are preserved. */
  private static void fileTooLarge() {
    int acknowledged = 0;
    try (RocksDb db = RocksDb.open(FOLDER)) {
      while (true) {
        db.put(("key" + acknowledged).getBytes(UTF_8), value(acknowledged));
        acknowledged++;
      }
    } catch (RocksDbException e) {
      require(e.code() == Code.IO_ERROR && e.getMessage().contains("File too large"), e.toString());
    }
    require(acknowledged > 10, acknowledged + " writes");
    try (RocksDb db = RocksDb.open(FOLDER)) {
      for (int i = 0; i < acknowledged; i++) {
        require(Arrays.equals(value(i), db.get(("key" + i).getBytes(UTF_8))), "write " + i + " is lost");
      }
      db.put(KEY, KEY); // a new WAL file is below the limit
      require(Arrays.equals(KEY, db.get(KEY)), "the write afterwards");
    }
  }

  private static void outOfFiles() throws IOException {
    write(FOLDER);
    try (RocksDb again = RocksDb.open(FOLDER)) { // fails once to initialize the classes of the failure below
      require(again.get(KEY) != null, "get before");
      failToOpen(Code.BUSY);
    }
    List<Closeable> hoard = new ArrayList<>();
    try {
      while (true) {
        hoard.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException none) {
      require(none.getMessage().contains("Too many open files"), none.toString());
    }
    RocksDbException refused = failToOpen(Code.IO_ERROR);
    for (Closeable each : hoard) {
      each.close();
    }
    require(refused.getMessage().contains("Too many open files"), refused.toString());
    try (RocksDb db = RocksDb.open(FOLDER)) {
      require(db.get(KEY) != null, "get afterwards");
    }
  }

  private static RocksDbException failToOpen(Code code) {
    try {
      RocksDb.open(FOLDER).close();
      throw new AssertionError("the database was opened");
    } catch (RocksDbException e) {
      require(e.code() == code, e.toString());
      return e;
    }
  }

  /** The system has no memory for the library: only the operation fails. */
  private static void outOfMemory() throws IOException {
    try (RocksDb db = RocksDb.open(FOLDER)) {
      db.put(KEY, value(1));
      byte[] huge = new byte[1 << 30];
      List<Arena> hoard = hoardAddresses();
      int failures = 0;
      for (int i = 0; i < 3; i++) {
        try {
          db.get(huge); // the key would be copied to native memory
          throw new AssertionError("there is memory after all");
        } catch (OutOfMemoryError e) {
          require(e.getMessage().startsWith("no native memory for "), e.toString());
          failures++;
        }
      }
      require(failures == 3, failures + " failures");
      hoard.forEach(Arena::close);
      require(db.get(huge) == null, "get with memory again");
      require(Arrays.equals(value(1), db.get(KEY)), "get afterwards");
      db.put(KEY, value(2));
      require(Arrays.equals(value(2), db.get(KEY)), "put afterwards");
    }
  }

  /** Uses up the address space by mapping a file repeatedly, and then frees less than the operation needs. */
  private static List<Arena> hoardAddresses() throws IOException {
    List<Arena> hoard = new ArrayList<>();
    Path file = Files.createFile(Path.of("sparse"));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(1), CHUNK - 1);
      while (true) {
        Arena arena = Arena.ofConfined();
        channel.map(FileChannel.MapMode.READ_ONLY, 0, CHUNK, arena);
        hoard.add(arena);
      }
    } catch (IOException | OutOfMemoryError none) {
      hoard.removeLast().close();
      hoard.removeLast().close();
      return hoard;
    }
  }

  private static void readOnlyFolder(Path folder) {
    try {
      RocksDb.open(folder).close();
      throw new AssertionError("a folder that is read-only was written to");
    } catch (RocksDbException e) {
      require(e.code() == Code.IO_ERROR, e.toString());
      require(e.getMessage().matches("(?s).*(Read-only file system|Permission denied).*"), e.toString());
    }
    try (RocksDb db = RocksDb.at(folder).openReadOnly()) {
      require(db.get(KEY) != null, "get");
    }
  }

  private static void write(Path folder) {
    try (RocksDb db = RocksDb.open(folder)) {
      db.put(KEY, value(3));
      db.flush();
    }
  }
}
