/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdbffm.jmh.work.DataSet;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.SendLoop;
import org.rocksdbffm.jmh.work.SocketReader;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/**
 * Gets whose values are sent to a Unix domain socket; another thread reads and discards them. Times are per value, and
 * mostly spent in the kernel.
 */
public class SendBenchmark extends MeasuredState {
  private static final int VALUES = 32;

  /** A thread's gets and its socket. */
  @State(Scope.Thread)
  public static class Sender {
    private TemporaryFolder folder;
    private SocketReader drain;
    private SendLoop sends;

    @Setup(Level.Trial)
    public void connect(StoredData stored) throws Exception {
      DataSet data = stored.data();
      folder = TemporaryFolder.create();
      drain = new SocketReader(folder.path().resolve("socket"));
      KeyCycle keys = new KeyCycle(data.shuffledKeys());
      sends = stored.binding().sends(keys, data.valueSize(), VALUES, drain.path());
    }

    @TearDown(Level.Trial)
    public void disconnect() throws Exception {
      sends.close();
      drain.close();
      folder.close();
    }
  }

  @Benchmark
  @OperationsPerInvocation(VALUES)
  public long send(Sender sender) throws Exception {
    return sender.sends.send();
  }
}
