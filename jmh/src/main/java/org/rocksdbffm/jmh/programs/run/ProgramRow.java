/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import static org.rocksdbffm.jmh.run.plan.Engine.COMPAT;
import static org.rocksdbffm.jmh.run.plan.Engine.FFM;
import static org.rocksdbffm.jmh.run.plan.Engine.JNI;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdbffm.jmh.programs.process.YcsbProcess;
import org.rocksdbffm.jmh.programs.work.Programs;
import org.rocksdbffm.jmh.run.plan.Engine;

/**
 * A program that is measured.
 *
 * @param name of the row, which is the name of this module's program
 * @param workload of the YCSB client; null for a program of this module
 * @param threads of the YCSB client
 * @param steps the steps of a short run of about two seconds: steps of each thread, or, for the YCSB client, of all
 * threads
 */
record ProgramRow(String name, String workload, int threads, long steps) {
  private static final String STREAMS = "kafka-streams";
  private static final String SPARK = "spark-store";

  /** The property with the class path of Spark's state store; without it, Spark's row is omitted. */
  static final String SPARK_CLASS_PATH = "org.rocksdbffm.jmh.spark";

  private static final List<Integer> THREADS = List.of(1, 8);

  static List<ProgramRow> all() {
    List<ProgramRow> rows = new ArrayList<>();
    for (int threads : THREADS) {
      rows.add(ycsb(YcsbProcess.LOAD, threads, 0));
      rows.add(ycsb("a", threads, 150_000));
      rows.add(ycsb("b", threads, 250_000));
      rows.add(ycsb("c", threads, 250_000));
      rows.add(ycsb("d", threads, 300_000));
      rows.add(ycsb("e", threads, 20_000));
      rows.add(ycsb("f", threads, 120_000));
    }
    rows.add(program(Programs.RAFT_LOG, 40_000));
    rows.add(program(Programs.LEDGER, 40_000));
    rows.add(program(Programs.WORKFLOW_ENGINE, 50_000));
    rows.add(program(Programs.UPSERTS, 200_000));
    rows.add(program(Programs.SHORT_ITERATORS, 200_000));
    rows.add(program(Programs.SEEK_AND_CLOSE, 500_000));
    rows.add(program(Programs.TWENTY_CALL_SITES, 600_000));
    rows.add(program(Programs.READERS_AND_WRITER, 50_000));
    rows.add(program(Programs.SCANS_FORWARD, 250));
    rows.add(program(Programs.SCANS_BACKWARD, 200));
    rows.add(program(STREAMS, 40_000));
    rows.add(program(SPARK, 60_000));
    return rows;
  }

  private static ProgramRow ycsb(String workload, int threads, long steps) {
    String name = "ycsb-" + workload + (threads == 1 ? "" : "-" + threads + "-threads");
    return new ProgramRow(name, workload, threads, steps);
  }

  private static ProgramRow program(String name, long steps) {
    return new ProgramRow(name, null, 0, steps);
  }

  /** Returns the engines of the row: Kafka Streams and Spark use only org.rocksdb. */
  List<Engine> engines() {
    return isStreams() || isSpark() ? List.of(JNI, COMPAT) : List.of(JNI, COMPAT, FFM);
  }

  boolean isAvailable() {
    return !isSpark() || System.getProperty(SPARK_CLASS_PATH) != null;
  }

  boolean isSpark() {
    return name.equals(SPARK);
  }

  boolean isStreams() {
    return name.equals(STREAMS);
  }

  boolean isYcsb() {
    return workload != null;
  }

  /** Whether the row loads the YCSB client's store, which happens once, without a warm-up. */
  boolean isLoad() {
    return YcsbProcess.LOAD.equals(workload);
  }

  /** Returns the modes in which the row is measured. */
  Stream<RunMode> modes() {
    return isLoad() ? Stream.of(RunMode.SHORT) : Stream.of(RunMode.values());
  }
}
