/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.options;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.rocksdbffm.torture.options.OptionCase.Environment;
import org.rocksdbffm.torture.runs.CaseLines;
import org.rocksdbffm.torture.runs.ChildEnd;
import org.rocksdbffm.torture.world.Folders;

/**
 * The child JVM of {@link OptionTorture}, which may crash. Runs cases with the seeds from a first one on,
 * {@code run SECONDS SEED}, or a saved case, {@code case FILE}. Prints each case before it starts; exits with 1 after
 * the first wrong result.
 */
final class OptionChild {
  static final String ENDS = "all cases went well";

  private static final Path FOLDER = Path.of(System.getProperty("torture.folder"));

  private OptionChild() {}

  public static void main(String[] arguments) throws Exception {
    Progress progress = new Progress();
    progress.watch();
    if (arguments[0].equals("case")) {
      run(OptionCase.read(Path.of(arguments[1])), progress);
    } else {
      long end = System.nanoTime() + Duration.ofSeconds(Long.parseLong(arguments[1])).toNanos();
      for (long seed = Long.parseLong(arguments[2]); System.nanoTime() < end; seed++) {
        CaseLines.print(seed);
        run(OptionCase.of(seed, KnownOption.named(OptionCaseRun.UNCHECKED)), progress);
      }
    }
    progress.print();
    System.out.println(ENDS);
  }

  private static void run(OptionCase one, Progress progress) throws Exception {
    Path folder = Files.createDirectories(FOLDER.resolve("case"));
    FutureTask<Void> task = new FutureTask<>(() -> new OptionCaseRun(one, folder, progress).go(), null);
    Thread worker =
        one.environment() == Environment.VIRTUAL ? Thread.ofVirtual().start(task) : Thread.ofPlatform().start(task);
    while (!worker.join(Duration.ofMillis(2))) {
      if (one.environment() == Environment.INTERRUPTED) {
        worker.interrupt();
      }
    }
    try {
      task.get();
    } catch (java.util.concurrent.ExecutionException e) {
      ChildEnd.fail(e.getCause());
    }
    Folders.delete(folder);
  }
}
