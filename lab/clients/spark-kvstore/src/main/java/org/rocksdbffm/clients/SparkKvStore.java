/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.util.kvstore.KVIndex;
import org.apache.spark.util.kvstore.KVStoreIterator;
import org.apache.spark.util.kvstore.KVStoreView;
import org.apache.spark.util.kvstore.RocksDB;

/** The store of Spark's history server, with objects in the natural index and another one. */
final class SparkKvStore {
  private static final int JOBS = 3000;

  private SparkKvStore() {}

  /** A stored object. */
  public static final class Job {
    @KVIndex public String id;

    @KVIndex("stage")
    public int stage;

    public String text;

    private String shown() {
      return id + " " + stage + " " + text;
    }
  }

  public static void main(String[] arguments) throws Exception {
    File folder = new File("store");
    try (RocksDB store = new RocksDB(folder)) {
      List<Job> batch = new ArrayList<>();
      for (int number = 0; number < JOBS; number++) {
        Job job = job(number);
        if (number % 2 == 0) {
          store.write(job);
        } else {
          batch.add(job);
        }
      }
      store.writeAll(batch);
      store.setMetadata(job(-1));
      Answers.say("filled", store.count(Job.class), store.count(Job.class, "stage", 7));
      scan("natural", store.view(Job.class));
      scan("backwards", store.view(Job.class).reverse());
      scan("stages", store.view(Job.class).index("stage").first(3).last(9).skip(5));
      scan("stages backwards", store.view(Job.class).index("stage").reverse().first(9).max(500));
      for (int number = 0; number < JOBS; number += 3) {
        store.delete(Job.class, job(number).id);
      }
      Answers.say("removed stages", store.removeAllByIndexValues(Job.class, "stage", List.of(1, 2, 99)));
      scan("deleted", store.view(Job.class));
    }
    try (RocksDB store = new RocksDB(folder)) {
      scan("reopened", store.view(Job.class).index("stage"));
      Answers.say("metadata", store.getMetadata(Job.class).shown(), store.read(Job.class, job(4).id).shown());
      try {
        Answers.say("deleted", store.read(Job.class, job(3).id).shown());
      } catch (NoSuchElementException e) {
        Answers.say("deleted", e.getMessage() != null);
      }
      Answers.say("counts", store.count(Job.class), store.count(Job.class, "stage", 2),
          store.count(Job.class, "stage", 5));
    }
  }

  private static Job job(int number) {
    Job job = new Job();
    job.id = "job-" + number;
    job.stage = number % 31;
    job.text = "text ".repeat(Math.floorMod(number, 50));
    return job;
  }

  private static void scan(String step, KVStoreView<Job> view) throws Exception {
    Answers answers = new Answers();
    try (KVStoreIterator<Job> jobs = view.closeableIterator()) {
      while (jobs.hasNext()) {
        answers.row(jobs.next().shown());
      }
    }
    answers.end(step);
  }
}
