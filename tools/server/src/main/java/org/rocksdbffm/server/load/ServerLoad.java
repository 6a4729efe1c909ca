/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.SocketFactory;

/** Clients that request values of one size from a server, in rounds, and a connection that reads its INFO. */
public final class ServerLoad implements AutoCloseable {
  private static final int CONNECTIONS = 4;
  private static final double WARM_UP_ROUND = 0.5;
  private static final double LITTLE_COMPILATION = 0.04;
  private static final int QUIET_ROUNDS = 4;

  private final List<LoadClient> clients = new ArrayList<>();
  private final LoadClient observer;
  private final ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);

  ServerLoad(InetSocketAddress server, SocketFactory sockets, int size) throws IOException {
    observer = new LoadClient(server, sockets);
    for (int i = 0; i < CONNECTIONS; i++) {
      clients.add(new LoadClient(server, sockets));
      clients.get(i).prepare(LoadRows.of(size), pipelined(size));
    }
  }

  /** Returns the number of pipelined requests: more for small values, as clients do. */
  private static int pipelined(int size) {
    return size <= 100 ? 16 : 1;
  }

  /**
   * Runs until the server's JIT compilers have been mostly idle for a while, because its speed changes until then.
   *
   * @return false if they are still active
   */
  boolean warmUp(double mostSeconds) throws Exception {
    int quiet = 0;
    for (double left = mostSeconds; left > 0 && quiet < QUIET_ROUNDS; left -= WARM_UP_ROUND) {
      long before = observer.info("compilation_millis");
      round(WARM_UP_ROUND);
      boolean isQuiet = observer.info("compilation_millis") - before < LITTLE_COMPILATION * WARM_UP_ROUND * 1000;
      quiet = isQuiet ? quiet + 1 : 0;
    }
    return quiet == QUIET_ROUNDS;
  }

  HandOffRounds.Round round(double seconds) throws Exception {
    long[] twiceBefore = observer.infos("cpu_nanos", "allocated_bytes");
    long[] before = observer.infos("cpu_nanos", "allocated_bytes");
    long begin = System.nanoTime();
    long end = begin + (long) (seconds * 1e9);
    List<Future<Long>> counts = new ArrayList<>();
    for (LoadClient client : clients) {
      Callable<Long> work = () -> client.run(end);
      counts.add(threads.submit(work));
    }
    long count = 0;
    for (Future<Long> each : counts) {
      count += each.get();
    }
    double took = (System.nanoTime() - begin) / 1e9;
    long[] after = observer.infos("cpu_nanos", "allocated_bytes");
    // Subtracts the CPU time of the INFO commands.
    double cpuSeconds = (after[0] - before[0] - (before[0] - twiceBefore[0])) / 1e9;
    double heapBytes = after[1] - before[1] - (before[1] - twiceBefore[1]);
    return new HandOffRounds.Round(count / took, count / cpuSeconds, heapBytes / count);
  }

  /**
   * Waits until no value is pinned: pins are released when the kernel has sent the bytes, perhaps after the client has
   * read them.
   */
  void requireNothingPinned() throws Exception {
    long pinned = observer.info("pinned_values");
    for (int i = 0; i < 6000 && pinned != 0; i++) {
      Thread.sleep(10);
      pinned = observer.info("pinned_values");
    }
    if (pinned != 0) {
      throw new IllegalStateException(pinned + " values are still pinned");
    }
  }

  @Override
  public void close() {
    threads.close();
    clients.add(observer);
    for (LoadClient client : clients) {
      try {
        client.close();
      } catch (IOException e) {
        // the server has ended
      }
    }
  }
}
