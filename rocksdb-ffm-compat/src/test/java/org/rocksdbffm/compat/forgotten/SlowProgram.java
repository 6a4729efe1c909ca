/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.forgotten;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Prints the slow operations of a recording, with a threshold that all operations exceed. */
public final class SlowProgram {
  private SlowProgram() {}

  public static void main(String[] arguments) throws Exception {
    Path file = Path.of("recording.jfr");
    try (Recording recording = new Recording()) {
      recording.start();
      use();
      recording.dump(file);
    }
    Set<String> operations = new TreeSet<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      if (event.getEventType().getName().equals("org.rocksdbffm.SlowOperation")) {
        operations.add(
            event.getString("operation") + " of " + event.getString("database") + " "
            + event.getString("columnFamily"));
      }
    }
    operations.forEach(its -> System.out.println("slow " + its));
  }

  private static void use() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, "db");
        ColumnFamilyHandle users = db.createColumnFamily(new ColumnFamilyDescriptor("users".getBytes()))) {
      db.put("a".getBytes(), "b".getBytes());
      db.get(users, "a".getBytes());
    }
  }
}
