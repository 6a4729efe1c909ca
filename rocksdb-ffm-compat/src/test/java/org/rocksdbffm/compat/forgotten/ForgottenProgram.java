/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.forgotten;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.rocksdbffm.compat.lifetime.OpenObjects;

/** Leaks one object of each class in {@link Makers}, then many, and prints the effects. */
final class ForgottenProgram {
  private static final int MANY = 1000;
  private static final int FEW = 15; // databases, and objects that write files
  private static final int ROUNDS = 5; // a leak grows in each round, the allocator's caches only in one or two
  private static final long MUCH_KIB = 16 << 10;
  private static final long LIMIT_NANOS = 60_000_000_000L;
  private static final List<LogRecord> WARNINGS = new CopyOnWriteArrayList<>();

  // A static field, because loggers are referenced weakly.
  private static final Logger LOGGER = Logger.getLogger("org.rocksdbffm");

  private ForgottenProgram() {}

  public static void main(String[] arguments) throws Throwable {
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(new Recorder());
    try (Makers makers = new Makers(Path.of("").toAbsolutePath())) {
      for (Map.Entry<String, Makers.Maker> entry : makers.all.entrySet()) {
        forget(entry.getKey(), entry.getValue());
      }
    }
    System.out.println("open at the end " + OpenObjects.counts());
  }

  private static void forget(String name, Makers.Maker maker) throws Throwable {
    Map<String, Long> before = OpenObjects.counts();
    WARNINGS.clear();
    maker.make();
    boolean reported = await(() -> !WARNINGS.isEmpty());
    boolean reclaimed = await(() -> OpenObjects.counts().equals(before));
    System.out.println(name + (reported ? " reported as " + WARNINGS.getFirst().getMessage() : " not reported"));
    if (reported) {
      System.out.println(name + " made at " + place(WARNINGS.getFirst().getThrown()));
    }
    int count = name.endsWith("DB") || name.startsWith("Export") || name.equals("BackupEngine")
        || name.equals("PersistentCache") ? FEW : MANY;
    long grown = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS && (i < 2 || grown > MUCH_KIB); i++) {
      long resident = resident();
      forget(maker, count);
      reclaimed &= await(() -> OpenObjects.counts().equals(before));
      grown = Math.min(grown, resident() - resident);
    }
    System.out.println(name + (reclaimed ? " reclaimed" : " not reclaimed: " + before + OpenObjects.counts()));
    if (!name.equals("PersistentCache")) { // whose buffers the engine retains even after the close
      System.out.println(name + " grew by KiB " + grown);
    }
  }

  private static void forget(Makers.Maker maker, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      maker.make();
    }
  }

  private static String place(Throwable origin) {
    if (origin == null) {
      return "unknown";
    }
    for (StackTraceElement frame : origin.getStackTrace()) {
      if (frame.getClassName().startsWith(Makers.class.getPackageName())) {
        return frame.getFileName();
      }
    }
    return "elsewhere";
  }

  private static boolean await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + LIMIT_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        return false;
      }
      System.gc();
    }
    return true;
  }

  /** The resident memory of the process, after the allocator has returned free memory. */
  private static long resident() throws Throwable {
    Linker linker = Linker.nativeLinker();
    FunctionDescriptor type = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG);
    int trimmed = (int) linker.downcallHandle(linker.defaultLookup().findOrThrow("malloc_trim"), type).invokeExact(0L);
    LOGGER.fine("trimmed: " + trimmed);
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    return 0;
  }

  private static final class Recorder extends Handler {
    @Override
    public void publish(LogRecord warning) {
      WARNINGS.add(warning);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
