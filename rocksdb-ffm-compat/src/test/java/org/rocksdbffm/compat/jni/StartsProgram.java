/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.rocksdb.RocksDB;

/** Prints the processes that the JVM has started until the library is loaded. */
public final class StartsProgram {
  private StartsProgram() {}

  public static void main(String[] arguments) throws Exception {
    Path file = Path.of("starts.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.ProcessStart");
      recording.start();
      RocksDB.loadLibrary();
      recording.stop();
      recording.dump(file);
    }
    List<String> started =
        RecordingFile.readAllEvents(file).stream().map(event -> event.getString("command")).toList();
    System.out.println("started: " + started);
  }
}
