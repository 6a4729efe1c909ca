/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.forgotten;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import jdk.jfr.consumer.RecordingStream;
import org.rocksdbffm.CompactionFilter;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.FlushOptions;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.tools.LiveObjectsCheck;

/**
 * A program that causes each of the library's events, and prints the recorded events; see {@link FlightRecordsTest}.
 */
final class RecordedCases {
  private static final Path FOLDER = Path.of("").toAbsolutePath().resolve("db");

  private static final CountDownLatch STALL_RECORDED = new CountDownLatch(1);
  private static final CountDownLatch LEAK_RECORDED = new CountDownLatch(1);

  private RecordedCases() {}

  public static void main(String[] arguments) throws Exception {
    // This database is open all the time, because the recorder notices the first database of a process only after up to
    // a second.
    try (RocksDb other = RocksDb.open(FOLDER.resolveSibling("other"))) {
      record();
      other.put(new byte[1], new byte[1]);
    }
    RocksDb.destroy(FOLDER.resolveSibling("other"));
  }

  private static void record() throws Exception {
    use();
    if (FlightRecorder.isInitialized()) {
      throw new AssertionError("the library turned the Flight Recorder on");
    }
    Path file = Path.of("recording.jfr");
    try (Recording recording = new Recording(); RecordingStream stream = new RecordingStream()) {
      stream.onEvent("org.rocksdbffm.WriteStall", event -> STALL_RECORDED.countDown());
      stream.onEvent("org.rocksdbffm.Leak", event -> LEAK_RECORDED.countDown());
      stream.startAsync();
      recording.enable("org.rocksdbffm.WriteStall").with("period", "50 ms");
      recording.enable("org.rocksdbffm.LiveObjects").with("period", "50 ms");
      recording.start();
      use();
      recording.dump(file);
    }
    Map<String, Integer> counts = new TreeMap<>();
    Set<String> slow = new TreeSet<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      if (event.getEventType().getName().startsWith("org.rocksdbffm.")) {
        if (event.hasField("operation")) {
          slow.add(event.getString("operation") + " of " + event.getString("database") + " "
              + event.getString("columnFamily"));
        }
        if (counts.merge(event.getEventType().getName(), 1, Integer::sum) == 1) {
          System.out.println(event);
        }
      }
    }
    slow.forEach(line -> System.out.println("slow " + line.replace(FOLDER.getParent() + "/", "")));
    counts.forEach((name, count) -> System.out.println("recorded " + name + ": " + (count > 0)));
    FlightRecords.EVENTS.forEach((name, count) -> System.out.println("counted " + name + ": " + (count.sum() > 0)));
    Files.delete(file);
  }

  private static void use() throws Exception {
    Path transactions = FOLDER.resolveSibling("transactions");
    TransactionOptions impatient = TransactionOptions.defaults().lockTimeout(Duration.ofMillis(2));
    try (TransactionDb db = TransactionDb.open(transactions);
        Transaction holder = db.begin();
        Transaction waiting = db.begin(impatient)) {
      holder.put("key".getBytes(), new byte[1]);
      try {
        waiting.getForUpdate("key".getBytes());
        throw new AssertionError("the key was not locked");
      } catch (RocksDbException e) {
        holder.commit();
      }
    }
    RocksDb.destroy(transactions);
    CountDownLatch stalled = new CountDownLatch(1);
    try (RocksDb db = RocksDb.at(FOLDER).defaults(waitingFor(stalled)).open()) {
      db.put("key".getBytes(), new byte[5000]);
      db.flush();
      db.familyOrCreate("users", FamilyOptions.defaults()).get("key".getBytes());
      forget(db);
      while (!isLeakReported()) { // the thread that reports the leaked cursor may start late
        LiveObjectsCheck.collect();
      }
      try (PinnedValue pinned = db.getPinned("key".getBytes())) {
        Thread.sleep(20);
        pinned.size();
      }
      // Each flush adds a file; too many files delay writes until a compaction has ended.
      db.setOptions(Map.of("level0_file_num_compaction_trigger", "2", "level0_slowdown_writes_trigger", "2"));
      for (int i = 0; i < 4; i++) {
        db.put("key".getBytes(), new byte[5000]);
        db.flush(FlushOptions.defaults().allowWriteStall(true));
      }
      if (FlightRecorder.isInitialized() && !STALL_RECORDED.await(1, TimeUnit.MINUTES)) {
        throw new AssertionError("no stall was recorded");
      }
      stalled.countDown();
    }
    RocksDb.destroy(FOLDER);
  }

  private static FamilyOptions waitingFor(CountDownLatch latch) {
    CompactionFilter.Factory waiting =
        compaction -> (level, key, value) -> {
          try {
            latch.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return CompactionFilter.Decision.KEEP;
        };
    return FamilyOptions.defaults().compactionFilter("waiting", waiting);
  }

  private static boolean isLeakReported() {
    return FlightRecorder.isInitialized() ? LEAK_RECORDED.getCount() == 0 : !FlightRecords.LEAKS.isEmpty();
  }

  private static void forget(RocksDb db) {
    db.cursor().first();
  }
}
