/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdbffm.jmh.engines.Engines;
import org.rocksdbffm.jmh.work.Binding;
import org.rocksdbffm.jmh.work.DataPlace;
import org.rocksdbffm.jmh.work.DataSet;
import org.rocksdbffm.jmh.work.Tuning;

/**
 * The files of a data set, written once by one engine, and read by all. A separate program writes them, so that it does
 * not affect the process that measures.
 */
public final class DataSetFiles {
  /** The property with the folder of prepared data sets. Without it, each JVM writes its data set. */
  public static final String SHARED = "org.rocksdbffm.jmh.data";

  private static final String WRITER = Binding.FFM;

  private DataSetFiles() {}

  /**
   * Writes a data set, unless it exists.
   *
   * @param arguments the folder of all data sets, the size of the data in MiB, the size of a value, and its place
   */
  public static void main(String[] arguments) throws Exception {
    DataSet data = DataSet.ofSize(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
    Path folder = folder(Path.of(arguments[0]), data, DataPlace.valueOf(arguments[3]));
    if (!Files.exists(folder)) {
      Path unfinished = Files.createTempDirectory(Path.of(arguments[0]), "unfinished-");
      write(WRITER, data, unfinished, DataPlace.valueOf(arguments[3]));
      Files.move(unfinished, folder);
    }
  }

  /** Returns the folder of a data set. Only a filter changes the files; other places differ in how they are read. */
  static Path folder(Path parent, DataSet data, DataPlace place) {
    String filter = place == DataPlace.FILTER ? "-filter" : "";
    return parent.resolve("rows-" + data.count() + "x" + data.valueSize() + filter);
  }

  /** Creates a copy of a database, with hard links to its tables, because tables never change. */
  static void link(Path folder, Path copy) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Path path = copy.resolve(file.getFileName());
        if (file.toString().endsWith(".sst")) {
          Files.createLink(path, file);
        } else {
          Files.copy(file, path);
        }
      }
    }
  }

  public static void write(String engine, DataSet data, Path folder, DataPlace place) throws Exception {
    try (Binding writing = Engines.open(engine, folder, Tuning.forReading(place))) {
      data.writeTo(writing);
      writing.flushAndCompact();
    }
  }
}
