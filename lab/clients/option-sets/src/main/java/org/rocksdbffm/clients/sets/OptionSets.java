/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sets;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.rocksdb.RocksDB;
import org.rocksdbffm.clients.Answers;

/** Runs the workload with the option sets of many clients, in child JVMs, which may crash or hang. */
final class OptionSets {
  private static final int SECONDS = 30;
  private static final String SET = "set ";

  private OptionSets() {}

  /** Runs all sets in child JVMs; with a number, the sets from it on in this JVM; with more arguments, that set. */
  public static void main(String[] arguments) throws Exception {
    List<ClientOptions> sets = ClientOptions.all();
    if (arguments.length == 0) {
      int next = 0;
      while (next < sets.size()) {
        next = child(sets, next);
      }
      return;
    }
    RocksDB.loadLibrary();
    int first = Integer.parseInt(arguments[0]);
    for (ClientOptions set : sets.subList(first, arguments.length == 1 ? sets.size() : first + 1)) {
      System.out.println(SET + worked(set));
    }
  }

  private static String worked(ClientOptions set) {
    return new Workload(set::fill, Path.of(set.name())).run();
  }

  /** Runs sets in a child, starting with a given one, and returns the first set that it did not reach. */
  private static int child(List<ClientOptions> sets, int first)
      throws IOException, InterruptedException, ExecutionException {
    Process child = new ProcessBuilder(command(first)).redirectErrorStream(true).start();
    int next = first;
    try (BufferedReader output = new BufferedReader(new InputStreamReader(child.getInputStream()))) {
      for (String line = line(child, output); line != null; line = line(child, output)) {
        if (line.startsWith(SET)) {
          say(sets.get(next++), line.substring(SET.length()));
        } else {
          System.out.println(line);
        }
      }
      if (next < sets.size()) {
        say(sets.get(next++), "ends the JVM, or does not come back: " + child.waitFor());
      }
    }
    return next;
  }

  /** Returns the next line of the child's output; kills the child after a timeout. */
  private static String line(Process child, BufferedReader output) throws InterruptedException, ExecutionException {
    CompletableFuture<String> line = CompletableFuture.supplyAsync(() -> {
      try {
        return output.readLine();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    try {
      return line.get(SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException _) {
      child.destroyForcibly();
      return line.get();
    }
  }

  private static List<String> command(int first) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(List.of("-Xmx512m", "-XX:-CreateCoredumpOnCrash", "--enable-native-access=ALL-UNNAMED"));
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), OptionSets.class.getName()));
    command.add(Integer.toString(first));
    return command;
  }

  private static void say(ClientOptions set, String found) {
    Answers.say(set.of() + " (" + set.name() + ")", found);
  }
}
