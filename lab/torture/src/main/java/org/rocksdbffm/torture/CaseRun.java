/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.tools.LiveObjectsCheck;
import org.rocksdbffm.torture.operations.Operations;
import org.rocksdbffm.torture.world.Client;
import org.rocksdbffm.torture.world.Step;
import org.rocksdbffm.torture.world.Tally;
import org.rocksdbffm.torture.world.World;
import org.rocksdbffm.torture.world.WrongAnswer;

/** Runs a case in this JVM: all clients concurrently, and then a check of the databases. */
final class CaseRun {
  private static final Duration MOST = Duration.ofSeconds(90);

  private CaseRun() {}

  /** Throws the first failure of a client, or of the check of the databases. */
  static void run(Case run, Path folder, Tally tally) throws Throwable {
    runClients(run, folder, tally);
    LiveObjectsCheck.awaitNone();
  }

  /** A separate method, so that its objects are unreachable when leaked objects are collected. */
  private static void runClients(Case run, Path folder, Tally tally) throws Throwable {
    World world = new World(folder, run.clients().size(), tally);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < run.clients().size(); i++) {
      Client client = new Client(world, i, Operations::named);
      List<Step> steps = run.clients().get(i);
      threads.add(Thread.ofPlatform().name("client " + i).start(() -> client.run(steps)));
    }
    long end = System.nanoTime() + MOST.toNanos();
    for (Thread thread : threads) {
      if (!thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
        throw new WrongAnswer("after " + MOST + " a client is still at work:\n" + stacks());
      }
    }
    if (world.hasFailed()) {
      throw world.failure();
    }
    world.closeAll();
    LiveObjectsCheck.awaitNone();
    world.verifyFolders();
  }

  private static String stacks() {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
      if (each.getKey().getName().startsWith("client ")) {
        text.append(each.getKey().getName()).append('\n');
        for (StackTraceElement frame : each.getValue()) {
          text.append("  at ").append(frame).append('\n');
        }
      }
    }
    return text.toString();
  }
}
