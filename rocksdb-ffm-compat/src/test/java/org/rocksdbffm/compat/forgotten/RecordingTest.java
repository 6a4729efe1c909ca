/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.forgotten;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.lifetime.OpenObjects;
import org.rocksdbffm.compat.tools.ChildJvm;

/** Flight Recorder events contain the databases of the drop-in, leaked objects and open objects. */
class RecordingTest {
  private static final int MOST_COLLECTIONS = 1000;

  @TempDir Path folder;

  @Test
  void opensClosesLeaksAndCountsAreRecorded() throws Exception {
    Path file = folder.resolve("recording.jfr");
    String db = folder.resolve("db").toString();
    try (Recording recording = new Recording()) {
      recording.enable("org.rocksdbffm.LiveObjects").with("period", "endChunk");
      recording.start();
      use(db);
      try (Options options = new Options();
          RocksDB left = RocksDB.openReadOnly(options, db)) {
        assertEquals(db, left.getName());
        assertTrue(OpenObjects.counts().get("RocksDB") > 0);
        recording.dump(file);
      }
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
    assertEquals(2, named(events, "DatabaseOpened", "database", db));
    assertEquals(1, named(events, "DatabaseClosed", "database", db));
    assertTrue(named(events, "Leak", "object", "RocksIterator") >= 1, events.toString());
    assertTrue(named(events, "LiveObjects", "kind", "RocksDB") >= 1, events.toString());
  }

  @Test
  void slowOperationsNameTheMethodTheDatabaseAndTheFamily() throws Exception {
    String output = ChildJvm.run(folder, SlowProgram.class, List.of("-Dorg.rocksdbffm.slowMillis=0"));
    assertTrue(output.contains("slow RocksDB.put of db \n"), output);
    assertTrue(output.contains("slow RocksDB.get of db users\n"), output);
  }

  private static long named(List<RecordedEvent> events, String name, String field, String value) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals("org.rocksdbffm." + name))
        .filter(event -> event.getString(field).equals(value))
        .count();
  }

  private static void use(String folder) throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, folder)) {
      long before = open();
      db.newIterator();
      for (int i = 0; i < MOST_COLLECTIONS && open() > before; i++) {
        System.gc();
      }
      assertEquals(before, open());
    }
  }

  private static long open() {
    return OpenObjects.counts().getOrDefault("RocksIterator", 0L);
  }
}
