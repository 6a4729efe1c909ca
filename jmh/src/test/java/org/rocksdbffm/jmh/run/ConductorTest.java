/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.rocksdbffm.jmh.benchmarks.MachineTurn;
import org.rocksdbffm.jmh.benchmarks.StructBenchmark;

@Timeout(300)
class ConductorTest {
  private final List<String> heard = Collections.synchronizedList(new ArrayList<>());

  private Thread player(Conductor conductor, int number, int turns) {
    return Thread.startVirtualThread(
        () -> {
          try (SocketChannel channel = MachineTurn.join(conductor.socket().toString(), number)) {
            for (int i = 0; i < turns; i++) {
              channel.write(ByteBuffer.allocate(1));
              channel.read(ByteBuffer.allocate(1));
              heard.add(number + " begins");
              Thread.sleep(2);
              heard.add(number + " ends");
              channel.write(ByteBuffer.allocate(1));
            }
          } catch (Exception e) {
            heard.add(e.toString());
          }
        });
  }

  @Test
  void playersMeasureOneAfterAnotherAndWhoHasGoneIsNotWaitedFor() throws Exception {
    Path socket;
    try (Conductor conductor = new Conductor(3)) {
      socket = conductor.socket();
      Thread first = player(conductor, 0, 2);
      conductor.hasEnded(2); // before player 2 has connected
      Thread second = player(conductor, 1, 3);
      first.join();
      conductor.hasEnded(0);
      second.join();
    }
    assertEquals(
        List.of(
            "0 begins", "0 ends", "1 begins", "1 ends", "0 begins", "0 ends", "1 begins", "1 ends", "1 begins",
            "1 ends"),
        heard);
    assertFalse(Files.exists(socket.getParent()));
  }

  @Test
  void nobodyBeginsBeforeAllAreReady() throws Exception {
    try (Conductor conductor = new Conductor(2)) {
      Thread first = player(conductor, 0, 1);
      Thread.sleep(50);
      assertEquals(List.of(), heard);
      player(conductor, 1, 1).join();
      first.join();
    }
    assertEquals(4, heard.size());
  }

  @Test
  void aJvmOfSeveralThreadsLeavesTheProcessorsToWhoeverMeasures() throws Exception {
    try (Conductor conductor = new Conductor(2)) {
      Set<ProcessHandle> others = children();
      CompletableFuture<Void> threads = CompletableFuture.runAsync(() -> measureWithThreads(conductor, 1));
      try (SocketChannel first = MachineTurn.join(conductor.socket().toString(), 0)) {
        first.write(ByteBuffer.allocate(1));
        first.read(ByteBuffer.allocate(1)); // granted when the other player is ready, too
        Set<ProcessHandle> waiting = children();
        waiting.removeAll(others);
        assertEquals(1, waiting.size());
        long least = Long.MAX_VALUE;
        for (int second = 0; second < 60 && least >= 300; second++) { // a JVM that has just started still compiles
          Duration before = processorTime(waiting);
          Thread.sleep(1000);
          least = Math.min(least, processorTime(waiting).minus(before).toMillis());
        }
        assertTrue(least < 300, "the JVM that waited used at least " + least + " ms of each second");
      }
      threads.join();
    }
  }

  private static Set<ProcessHandle> children() {
    return ProcessHandle.current().children().collect(Collectors.toSet());
  }

  private static Duration processorTime(Set<ProcessHandle> processes) {
    return processes.iterator().next().info().totalCpuDuration().orElseThrow();
  }

  private static void measureWithThreads(Conductor conductor, int player) {
    Options options =
        new OptionsBuilder()
            .include("^" + StructBenchmark.class.getName() + ".readByLayout$")
            .forks(1)
            .threads(4)
            .warmupIterations(0)
            .measurementIterations(2)
            .measurementTime(TimeValue.milliseconds(10))
            .jvmArgsPrepend(
                "-D" + MachineTurn.SOCKET + "=" + conductor.socket(), "-D" + MachineTurn.PLAYER + "=" + player,
                    "-Djmh.ignoreLock=true")
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();
    try {
      new Runner(options).run();
    } catch (RunnerException e) {
      throw new IllegalStateException(e);
    }
  }
}
