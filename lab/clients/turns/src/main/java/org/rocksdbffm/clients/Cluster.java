/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The members of a replicated store on the drop-in, each a program in a separate process and folder, which can be
 * killed and restarted. The programs end with their standard input, so that they do not outlive the parent process.
 */
public class Cluster implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Program program;
  private final Path folder;
  private final Process[] processes;

  protected Cluster(Program program, Path folder, int members) {
    this.program = program;
    this.folder = folder;
    this.processes = new Process[members];
  }

  /** Returns ports below the ephemeral range, so that they stay free until a member is restarted. */
  protected static List<Integer> freePorts(int count) {
    Set<Integer> ports = new LinkedHashSet<>();
    while (ports.size() < count) {
      int port = new Random().nextInt(10_000, 30_000);
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        ports.add(free.getLocalPort());
      } catch (IOException taken) {
        continue;
      }
    }
    return List.copyOf(ports);
  }

  protected final Path folder(int member) {
    return folder.resolve("member-" + member);
  }

  protected final void start(int member, String... arguments) throws IOException {
    processes[member] = program.start(Turn.DROP_IN, folder(member), arguments);
  }

  protected final long pid(int member) {
    return processes[member].pid();
  }

  /** Kills a member with SIGKILL. */
  public final void kill(int member) {
    processes[member].destroyForcibly().onExit().join();
    processes[member] = null;
  }

  /** Waits for a condition. Throws the output of all members after a timeout, or if a member ends unexpectedly. */
  public final void await(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      for (Process process : processes) {
        if (process != null && !process.isAlive()) {
          throw failure("a member ended with " + process.exitValue() + " while waiting for " + what);
        }
      }
      if (System.nanoTime() - start > LIMIT.toNanos()) {
        throw failure("waited too long for " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  /** Makes all members close their stores and end. */
  public final void end() throws IOException, InterruptedException {
    for (Process process : processes) {
      process.getOutputStream().close();
    }
    for (Process process : processes) {
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw failure("a member did not end, or failed");
      }
    }
  }

  private AssertionError failure(String message) {
    StringBuilder output = new StringBuilder(message);
    for (int member = 0; member < processes.length; member++) {
      try {
        output.append("\n\nmember ").append(member).append(Program.tail(Program.output(folder(member))));
      } catch (IOException e) {
        output.append(e);
      }
    }
    return new AssertionError(output);
  }

  /** Kills all running members. */
  @Override
  public void close() {
    for (Process process : processes) {
      if (process != null) {
        process.destroyForcibly().onExit().join();
      }
    }
  }
}
