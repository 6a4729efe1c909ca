/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/** The first use of the library, on an interrupted thread or while the library file is missing. */
final class FirstUseProgram {
  private FirstUseProgram() {}

  /** With two files as arguments, copies the second to the first after some failed uses. */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length == 2) {
      AtomicInteger failed = new AtomicInteger();
      Runnable[] doors = {RocksDB::loadLibrary, () -> new Options().close(), FirstUseProgram::open};
      for (Runnable door : doors) {
        Thread thread = new Thread(door);
        thread.setUncaughtExceptionHandler((where, thrown) -> failed.addAndGet(isOfLibrary(thrown) ? 1 : 100));
        thread.start();
        thread.join();
      }
      System.out.println("failed: " + failed);
      Files.copy(Path.of(arguments[1]), Path.of(arguments[0]));
    }
    Thread.currentThread().interrupt();
    RocksDB.loadLibrary();
    open();
    System.out.println("opened, interrupted: " + Thread.currentThread().isInterrupted());
  }

  private static boolean isOfLibrary(Throwable thrown) {
    return thrown.getMessage().equals("Unable to load the RocksDB shared library")
        && thrown.getCause().getMessage().startsWith("There is no library ");
  }

  private static void open() {
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, "db")) {
      db.put(new byte[1], new byte[1]);
    } catch (org.rocksdb.RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }
}
