/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import site.ycsb.Client;
import site.ycsb.workloads.CoreWorkload;

/** Runs the standard YCSB client on an engine; its binding prints the measurements. */
public final class YcsbProcess {
  /** The workload that fills the store. */
  public static final String LOAD = "load";

  private static final Map<String, String> NONE =
      Map.of("readproportion", "0", "updateproportion", "0", "scanproportion", "0", "insertproportion", "0");

  /** The client's core workloads. */
  private static final Map<String, Map<String, String>> WORKLOADS =
      Map.of(
          LOAD, Map.of(),
          "a", Map.of("readproportion", "0.5", "updateproportion", "0.5", "requestdistribution", "zipfian"),
          "b", Map.of("readproportion", "0.95", "updateproportion", "0.05", "requestdistribution", "zipfian"),
          "c", Map.of("readproportion", "1", "requestdistribution", "zipfian"),
          "d", Map.of("readproportion", "0.95", "insertproportion", "0.05", "requestdistribution", "latest"),
          "e", Map.of("scanproportion", "0.95", "insertproportion", "0.05", "requestdistribution", "zipfian"),
          "f",
              Map.of("readproportion", "0.5", "readmodifywriteproportion", "0.5", "requestdistribution", "zipfian"));

  private YcsbProcess() {}

  /**
   * Runs a workload.
   *
   * @param arguments the engine, the workload, the folder, the operations of warm-up and measurement of all threads,
   *     the number of threads, the number of records, and then properties of the client
   */
  public static void main(String[] arguments) {
    long started = System.nanoTime();
    String workload = arguments[1];
    int threads = Integer.parseInt(arguments[5]);
    long warmUp = Long.parseLong(arguments[3]) / threads;
    YcsbStore.prepare(arguments[0], arguments[2], new Meter(threads, started, warmUp), threads);
    List<String> words = new ArrayList<>();
    words.add(workload.equals(LOAD) ? "-load" : "-t");
    words.addAll(List.of("-db", YcsbStore.class.getName(), "-threads", arguments[5]));
    add(words, "workload", CoreWorkload.class.getName());
    add(words, "recordcount", arguments[6]);
    add(words, "operationcount", Long.toString(warmUp * threads + Long.parseLong(arguments[4])));
    NONE.forEach((name, value) -> add(words, name, value));
    WORKLOADS.get(workload).forEach((name, value) -> add(words, name, value));
    for (int i = 7; i < arguments.length; i++) {
      words.addAll(List.of("-p", arguments[i]));
    }
    Client.main(words.toArray(String[]::new));
  }

  private static void add(List<String> words, String name, String value) {
    words.addAll(List.of("-p", name + "=" + value));
  }
}
