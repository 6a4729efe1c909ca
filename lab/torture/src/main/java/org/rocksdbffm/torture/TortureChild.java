/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.rocksdbffm.tools.LiveObjectsCheck;
import org.rocksdbffm.torture.operations.Operations;
import org.rocksdbffm.torture.runs.CaseLines;
import org.rocksdbffm.torture.runs.ChildEnd;
import org.rocksdbffm.torture.world.Folders;
import org.rocksdbffm.torture.world.Tally;

/**
 * The child JVM of {@link Torture}, which may crash. Runs cases with the seeds from a first one on,
 * {@code run SECONDS SEED}, or a saved case, {@code case FILE}. Prints each case before it starts; exits with 1 after
 * the first failure.
 */
final class TortureChild {
  static final String SILENT = "operations that never answered:";

  private static final Logger LOGGER = Logger.getLogger("org.rocksdbffm"); // the JDK holds loggers weakly
  private static final Path FOLDER = Path.of(System.getProperty("torture.folder")).resolve("cases");

  private TortureChild() {}

  public static void main(String[] arguments) throws Exception {
    AtomicLong missed = countMissed();
    Tally tally = new Tally();
    if (arguments[0].equals("case")) {
      run(Case.read(Path.of(arguments[1])), tally);
    } else {
      long end = System.nanoTime() + Duration.ofSeconds(Long.parseLong(arguments[1])).toNanos();
      long cases = 0;
      for (long seed = Long.parseLong(arguments[2]); System.nanoTime() < end; seed++) {
        CaseLines.print(seed);
        run(Case.of(seed), tally);
        cases++;
      }
      System.out.println(cases + " cases");
      System.out.print(tally);
      System.out.println(missed + " of what was never closed was missed by the library, and said so");
      System.out.println(SILENT + " " + tally.silent(Operations.ALL));
    }
    if (missed.get() > tally.allForgotten()) {
      System.out.println("FAILED: more was reported forgotten than was forgotten");
      System.exit(1);
    }
    LiveObjectsCheck.awaitNothing();
    System.out.println("no native object is left");
    lookForLeaks(System.getProperty("torture.leakSanitizer"));
  }

  /** Calls LeakSanitizer, if loaded; its own check at exit does not run. */
  private static void lookForLeaks(String library) throws Exception {
    if (library != null) {
      MemorySegment look =
          SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow("__lsan_do_recoverable_leak_check");
      MethodHandle check =
          Linker.nativeLinker().downcallHandle(look, FunctionDescriptor.of(ValueLayout.JAVA_INT));
      try {
        System.out.println("LeakSanitizer answers " + (int) check.invokeExact());
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }
  }

  private static void run(Case one, Tally tally) throws Exception {
    try {
      CaseRun.run(one, Files.createDirectories(FOLDER), tally);
      Folders.delete(FOLDER);
    } catch (Throwable e) {
      ChildEnd.fail(e);
    }
  }

  /** Counts the library's reports of leaked objects instead of printing them. */
  private static AtomicLong countMissed() {
    AtomicLong missed = new AtomicLong();
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            if (record.getMessage().contains(" was never closed")) {
              missed.incrementAndGet();
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        });
    return missed;
  }
}
