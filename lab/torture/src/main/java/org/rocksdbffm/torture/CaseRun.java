/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
  private static final Duration LONGEST_STEP = Duration.ofSeconds(90);

  private CaseRun() {}

  /** Throws the first failure of a client, or of the check of the databases. */
  static void run(Case run, Path folder, Tally tally) throws Throwable {
    runClients(run, folder, tally);
    LiveObjectsCheck.awaitNone();
  }

  /** A separate method, so that its objects are unreachable when leaked objects are collected. */
  private static void runClients(Case run, Path folder, Tally tally) throws Throwable {
    World world = new World(folder, run.clients().size(), tally);
    awaitClients(run, world);
    if (world.hasFailed()) {
      throw world.failure();
    }
    world.closeAll();
    LiveObjectsCheck.awaitNone();
    world.verifyFolders();
  }

  /** A separate method, too, because a client refers to the last objects that it used. */
  private static void awaitClients(Case run, World world) throws InterruptedException {
    Map<Client, Thread> threads = new LinkedHashMap<>();
    for (int i = 0; i < run.clients().size(); i++) {
      Client client = new Client(world, i, Operations::named);
      List<Step> steps = run.clients().get(i);
      threads.put(client, Thread.ofPlatform().name("client " + i).start(() -> client.run(steps)));
    }
    for (Map.Entry<Client, Thread> each : threads.entrySet()) {
      await(each.getKey(), each.getValue());
    }
  }

  /** Waits as long as the client makes progress: a busy machine is slow, and a client that waits forever is a fault. */
  private static void await(Client client, Thread thread) throws InterruptedException {
    while (!thread.join(Duration.ofSeconds(1))) {
      if (client.sinceStepStarted().compareTo(LONGEST_STEP) > 0) {
        throw new WrongAnswer("after " + LONGEST_STEP + " a client is still at one step:\n" + stacks());
      }
    }
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
