/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.clients;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rocksdbffm.jmh.command.CommandLine;
import org.rocksdbffm.jmh.process.EngineProcess;
import org.rocksdbffm.jmh.run.report.Machine;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/** The program behind {@code ./bench clients}. */
public final class ClientBench {
  private static final String USAGE =
      """
      usage: ./bench clients [CLIENT]... [--rounds N] [--json FILE] [--old FILE]
      Runs phases of real clients on rocksdbjni and on the drop-in alternately, each round in new processes, and prints
      the medians with the largest loss first. The bytes that C2 inlines are counted in a separate process.
      Clients: sofa-jraft, kafka-streams; all if none is named.
        --rounds N   rounds, 3 unless given
        --json FILE  writes the results
        --old FILE   results to compare with
      """;
  private static final String LEGEND =
      """
      CPU and wall: how many times as much time rocksdbjni takes, so more is better. Pairs: rocksdbjni, drop-in.
      """;
  private static final int MOST_ROUNDS = 100;

  /** Each client's module and main class. */
  private static final Map<String, String> CLIENTS = clients();

  private final Path modules = Path.of(System.getProperty("org.rocksdbffm.jmh.clients"));
  private final List<ClientPhase> phases = new ArrayList<>();

  private ClientBench() {}

  private static Map<String, String> clients() {
    Map<String, String> clients = new LinkedHashMap<>();
    clients.put("sofa-jraft", "org.rocksdbffm.clients.SofaJRaftPhases");
    clients.put("kafka-streams", "org.rocksdbffm.clients.KafkaStoresPhases");
    return clients;
  }

  public static void main(String[] words) throws Exception {
    CommandLine.run(USAGE, ClientBench::start, words);
  }

  private static int start(String... words) throws Exception {
    CommandLine line = CommandLine.parse(Set.of(), Set.of("--rounds", "--json", "--old"), words);
    int rounds = line.number("--rounds", 3, MOST_ROUNDS);
    Path json = line.writable("--json");
    Path old = line.readable("--old");
    List<ClientPhase> before = old == null ? List.of() : new ClientFile(old).read().phases();
    ClientBench bench = new ClientBench();
    for (String client : line.chosen("client", List.copyOf(CLIENTS.keySet()), String::equals)) {
      bench.measure(client, rounds);
      if (json != null) {
        Machine machine = Machine.ofThis("./bench clients " + String.join(" ", words), rounds);
        new ClientFile(json).write(new ClientFile.Content(machine, bench.phases));
      }
    }
    System.out.print(ClientPhase.table(bench.phases, before) + LEGEND);
    return 0;
  }

  private void measure(String client, int rounds) throws IOException, InterruptedException {
    Map<String, List<PhaseCost>> rocksdbjni = new LinkedHashMap<>();
    Map<String, List<PhaseCost>> dropIn = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      System.err.println(client + ", round " + (round + 1) + " of " + rounds);
      add(run(client, false), rocksdbjni);
      add(run(client, true), dropIn);
    }
    Map<String, PhaseCost> countedOnRocksdbjni = run(client, false, "counting");
    Map<String, PhaseCost> countedOnDropIn = run(client, true, "counting");
    rocksdbjni.forEach(
        (phase, costs) ->
            phases.add(
                new ClientPhase(
                    phase,
                    PhaseCost.median(costs, countedOnRocksdbjni.get(phase).inlinedBytes()),
                    PhaseCost.median(dropIn.get(phase), countedOnDropIn.get(phase).inlinedBytes()))));
  }

  private static void add(Map<String, PhaseCost> round, Map<String, List<PhaseCost>> rounds) {
    round.forEach((phase, cost) -> rounds.computeIfAbsent(phase, name -> new ArrayList<>()).add(cost));
  }

  private Map<String, PhaseCost> run(String client, boolean isDropIn, String... mode)
      throws IOException, InterruptedException {
    // Keeps the number of compiler threads fixed, because the processor time of an ended thread is lost.
    List<String> flags = List.of("-Xmx1g", "-XX:-UseDynamicNumberOfCompilerThreads");
    try (TemporaryFolder folder = TemporaryFolder.create()) {
      return PhaseCost.in(
          new EngineProcess(List.of(), classPath(client, isDropIn), flags)
              .run(line -> {}, CLIENTS.get(client), Stream.concat(Stream.of(folder.path()), Stream.of(mode)).toArray())
              .lines());
    }
  }

  /** Returns the client's class path; on the drop-in, with the drop-in's jars instead of rocksdbjni. */
  private String classPath(String client, boolean isDropIn) throws IOException {
    Path target = modules.resolve(client).resolve("target");
    String resolved = Files.readString(target.resolve("class-path")).strip();
    return Stream.concat(
            Stream.of(target.resolve("classes").toString()), Stream.of(resolved.split(File.pathSeparator)))
        .map(jar -> isDropIn && jar.matches(".*/f?rocksdbjni-[^/]*\\.jar") ? dropIn() : jar)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private String dropIn() {
    return modules.resolve("turns/target/drop-in") + "/*";
  }
}
